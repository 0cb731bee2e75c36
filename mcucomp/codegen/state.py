"""Where does each slot of state lie, and what puts its first bytes there?

In: the slots that the steps of a model update. Out: a `StateLayout`: offsets in
one array beside the arena, that the model's C struct ends with, and how `reset`
fills it. What a reset leaves alone comes last; `init` clears it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcucomp.ops import ConstantArray, Slot

Key = tuple[str | int, ...]

# The C type that the array is of, by the alignment that it must have.
_WORDS = {4: "uint32_t", 8: "uint64_t"}


@dataclass(frozen=True, slots=True)
class Fill:
    """Bytes of the array that start alike: `value` in each, or those of the array `values`."""

    offset: int
    size_bytes: int
    value: int = 0
    values: ConstantArray | None = None


@dataclass(frozen=True, slots=True)
class StateLayout:
    """`offsets` of slots by their keys; `resets` are what a reset does, `starts` init alone."""

    offsets: Mapping[Key, int]
    size_bytes: int
    alignment: int
    resets: tuple[Fill, ...]
    starts: tuple[Fill, ...]

    @property
    def word(self) -> str:
        """The C type of the array's elements."""
        return _WORDS[self.alignment]

    @property
    def words(self) -> int:
        return self.size_bytes // self.alignment


def lay_out(slots: Iterable[Slot]) -> StateLayout:
    """Slots of each key once, those of larger alignment first: then only ends are filled up."""
    found: dict[Key, Slot] = {}
    for slot in slots:
        other = found.setdefault(slot.key, slot)
        assert _same(other, slot), f"two slots of different kinds are {slot.key}"
    alignment = max([4, *(slot.alignment for slot in found.values())])
    offsets: dict[Key, int] = {}
    fills: dict[bool, list[Fill]] = {False: [], True: []}
    end = 0
    for slot in sorted(found.values(), key=lambda slot: (slot.outlives_reset, -slot.alignment)):
        end = -(-end // slot.alignment) * slot.alignment
        offsets[slot.key] = end
        _fill(fills[slot.outlives_reset], end, slot)
        end += slot.size_bytes
    size_bytes = -(-end // alignment) * alignment
    return StateLayout(offsets, size_bytes, alignment, tuple(fills[False]), tuple(fills[True]))


def _same(a: Slot, b: Slot) -> bool:
    return (a.size_bytes, a.alignment, a.outlives_reset) == (
        b.size_bytes,
        b.alignment,
        b.outlives_reset,
    )


def _fill(fills: list[Fill], offset: int, slot: Slot) -> None:
    """Slots that lie side by side and start with the same byte are filled together."""
    if isinstance(slot.initial, ConstantArray):
        fills.append(Fill(offset, slot.size_bytes, values=slot.initial))
        return
    if fills and fills[-1].values is None and fills[-1].value == slot.initial:
        first = fills[-1].offset
        fills[-1] = Fill(first, offset + slot.size_bytes - first, slot.initial)
    else:
        fills.append(Fill(offset, slot.size_bytes, slot.initial))
