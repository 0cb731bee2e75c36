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
from mcucomp.device import HeldRun, Session


def first_wrong_call(
    build: BuildDirectory, session: Session, inputs: Sequence[bytes], wanted: Mapping[int, bytes]
) -> str | None:
    """The first operator, in the order that ran, that left a wrong byte, with its row."""
    calls = build.report["calls"]
    run = session.held(inputs, calls)
    found = None
    for call, spans in zip(calls, build.report["written"], strict=True):
        run.step()
        wrong = next((span for span in spans if not _is_right(run, span, wanted)), None)
        if wrong is not None:
            tensor, first, _, size_bytes = wrong
            is_whole = size_bytes == len(wanted[tensor])
            where = "" if is_whole else f", row {first // size_bytes}"
            found = build.told(build.report["operators"][call], tensor) + where
            break
    run.finish()
    return found


def _is_right(run: HeldRun, span: Sequence[int], wanted: Mapping[int, bytes]) -> bool:
    """Whether bytes of a tensor lie in the arena as they should; what is not known is right."""
    tensor, first, offset, size_bytes = span
    if tensor not in wanted:
        return True
    right = wanted[tensor][first : first + size_bytes]
    return run.sum((offset, size_bytes)) == zlib.crc32(right)
