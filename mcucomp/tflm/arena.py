"""What will TFLM need for this file, and what makes it need that much?

In: a model and the kernel library that the firmware links. Out: an `Arena`: the
head to the byte, an estimate of the whole on a 32-bit target, and the moment at
which most is in use, with everything that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mcucomp.ir import Model
from mcucomp.tflm.blocks import NEVER, Block, blocks, file_orders, moments, names_of
from mcucomp.tflm.footprint import Footprint, footprint
from mcucomp.tflm.greedy import greedy, head_bytes, pinned_blocks
from mcucomp.tflm.metadata import prescribed
from mcucomp.tflm.scratch import KernelLibrary, requests


@dataclass(frozen=True, slots=True)
class InUse:
    """Something that lies in the head at the peak. `size_bytes` is rounded up to 16."""

    name: str
    offset: int
    size_bytes: int
    is_scratch: bool


@dataclass(frozen=True, slots=True)
class Peak:
    """The moment at which most bytes of the head are in use.

    `graph` and `operator` say what runs; None before the first operator.
    `live_bytes` may be below the head: the rest lies in gaps.
    """

    graph: int
    operator: int | None
    kind: str
    live_bytes: int
    in_use: tuple[InUse, ...]


@dataclass(frozen=True, slots=True)
class Arena:
    """TFLM's needs for a model as its file is. `peak` is None where nothing is planned."""

    kernels: str
    head_bytes: int
    is_prescribed: bool
    target: Footprint
    peak: Peak | None


def arena_of(model: Model, kernels: KernelLibrary) -> Arena:
    """What TFLM will need for `model` with these kernels.

    Raises InvalidModel or UnsupportedModel where that cannot be foreseen.
    """
    needed = requests(model, kernels)
    orders = file_orders(model)
    fixed = prescribed(model)
    placed = blocks(model, orders, needed, fixed)
    offsets = greedy(placed, pinned_blocks(placed, fixed))
    head = head_bytes(placed, offsets)
    return Arena(
        kernels=kernels.name,
        head_bytes=head,
        is_prescribed=bool(fixed),
        target=footprint(model, head, len(placed), needed, kernels),
        peak=_peak(model, placed, offsets),
    )


def _peak(model: Model, placed: Sequence[Block], offsets: Sequence[int]) -> Peak | None:
    """The first moment at which the most bytes are in use."""
    used = [i for i, b in enumerate(placed) if b.lifetime != NEVER]
    if not used:
        return None
    change: dict[int, int] = {}
    for i in used:
        life, size_bytes = placed[i].lifetime, placed[i].size_bytes
        change[life.start] = change.get(life.start, 0) + size_bytes
        change[life.end] = change.get(life.end, 0) - size_bytes
    live, highest, moment = 0, -1, 0
    for time in sorted(change):
        live += change[time]
        if live > highest:
            highest, moment = live, time
    running = moments(model, file_orders(model)).get(moment)
    in_use = sorted(
        (i for i in used if placed[i].lifetime.start <= moment < placed[i].lifetime.end),
        key=lambda i: (-placed[i].size_bytes, offsets[i]),
    )
    graph, operator = running if running is not None else (0, None)
    return Peak(
        graph=graph,
        operator=operator,
        kind="" if operator is None else model.graphs[graph].operators[operator].kind,
        live_bytes=highest,
        in_use=tuple(
            InUse(
                names_of(model, placed[i]),
                offsets[i],
                placed[i].size_bytes,
                placed[i].tensor is None,
            )
            for i in in_use
        ),
    )
