"""Which offsets does a file prescribe to TFLM?

The metadata entry `OfflineMemoryAllocation` holds little-endian 32-bit words:
a version, the number of graphs, the number of offsets, and an offset for each
tensor of each graph, -1 where TFLM shall find one itself. Constants and
tensors of no bytes have an entry too, which is not used.

In: a model, or offsets by (graph, tensor). Out: the other one of the two.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from mcucomp.errors import InvalidModel, printable
from mcucomp.ir import Model

NAME = "OfflineMemoryAllocation"
VERSION = 1
UNPLANNED = -1

_HEADER_WORDS = 3
_FIX = "remove the entry, or write it anew with 'mcucomp rewrite'"


def prescribed(model: Model) -> dict[tuple[int, int], int]:
    """The offsets that the file prescribes by (graph, tensor); empty where it has no entry.

    Raises InvalidModel for an entry that TFLM would refuse, or follow out of the arena.
    """
    data = (model.metadata or {}).get(NAME)
    if data is None:
        return {}
    at = f"{printable(model.source)}: metadata {NAME}"
    tensors = [(g, t.index) for g, graph in enumerate(model.graphs) for t in graph.tensors]
    if len(data) < 4 * _HEADER_WORDS:
        raise InvalidModel(
            f"it has {len(data)} B; its header alone has {4 * _HEADER_WORDS}", at=at, fix=_FIX
        )
    words = struct.unpack(f"<{len(data) // 4}i", data[: len(data) // 4 * 4])
    count = words[2]
    if count != len(tensors) or len(words) < _HEADER_WORDS + count:
        raise InvalidModel(
            f"it states {count} offsets and has {len(words) - _HEADER_WORDS};"
            f" the model has {len(tensors)} tensors",
            at=at,
            fix=_FIX,
        )
    found = dict(zip(tensors, words[_HEADER_WORDS:], strict=False))
    lowest = min(found.values(), default=UNPLANNED)
    if lowest < UNPLANNED:
        raise InvalidModel(f"an offset is {lowest}, before the arena's start", at=at, fix=_FIX)
    return {key: offset for key, offset in found.items() if offset != UNPLANNED}


def entry(model: Model, offsets: Mapping[tuple[int, int], int]) -> bytes:
    """The entry's data that prescribes `offsets` by (graph, tensor), and nothing for the rest."""
    words = [
        offsets.get((g, tensor.index), UNPLANNED)
        for g, graph in enumerate(model.graphs)
        for tensor in graph.tensors
    ]
    header = (VERSION, len(model.graphs), len(words))
    return struct.pack(f"<{_HEADER_WORDS + len(words)}i", *header, *words)


def why_not(model: Model) -> str | None:
    """Why no entry may be written for `model`; None where it is safe.

    TFLM looks a variable's offset up by the tensor's number within its graph,
    as if it were of the first graph: with an entry, a variable of another graph
    may get no memory at all, and the interpreter crashes.
    """
    for g, graph in enumerate(model.graphs[1:], start=1):
        for tensor in graph.tensors:
            if tensor.is_variable:
                return (
                    f"graph {g} has a variable ({printable(tensor.name)}); offsets in the file"
                    " would crash TensorFlow Lite Micro"
                )
    return None
