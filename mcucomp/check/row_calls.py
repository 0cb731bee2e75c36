"""Which operator of a model in rows is the first to write other bytes than it should?

In: a build directory, a session with its device, one inference's inputs, and the right
bytes of every tensor. Out: the operator and its row. A row may lie elsewhere than its
neighbours and be gone when its operator has ended, so that each call is looked at when
it has returned; the report says what it left where.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence

from mcucomp.build_directory import BuildDirectory
from mcucomp.device import Session
from mcucomp.errors import printable


def first_wrong_call(
    build: BuildDirectory, session: Session, inputs: Sequence[bytes], wanted: Mapping[int, bytes]
) -> str | None:
    """The first operator, in the order that ran, that left a wrong byte, with its row."""
    calls = build.report["calls"]
    run = session.held(inputs, calls)
    found = None
    for call, spans in zip(calls, build.report["written"], strict=True):
        run.step()
        for tensor, first, offset, size_bytes in spans:
            right = wanted.get(tensor, b"")
            row = right[first : first + size_bytes]
            if row and run.sum((offset, size_bytes)) != zlib.crc32(row):
                where = "" if row == right else f", row {first // size_bytes}"
                found = _told(build, call, tensor) + where
                break
        if found is not None:
            break
    run.finish()
    return found


def _told(build: BuildDirectory, call: int, tensor: int) -> str:
    operator = build.report["operators"][call]
    name = printable(build.graph.tensors[tensor].name)
    return f"operator {operator['operator']} {operator['kind']} ({name})"
