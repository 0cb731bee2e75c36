"""Steps and buffers: the planning problem without its origin."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Buffer:
    """Bytes that need one address: a tensor, or a group of views of one.

    It is live from the moment the first of `writers` runs (from the start
    where there is none: an input of the model) until all of `writers` and
    `readers` have run (to the end where `held`: an output of the model).
    Writers and readers are indices of steps. A tensor has at most one
    writer; only a group of views has more. A buffer that nobody reads is
    live at its writers' steps alone.

    `in_parts` says that its writers need not all run before its readers: they
    write and read parts of it, and `precedence` alone orders them.

    Buffers of one `piece` lie side by side: each starts `place_bytes` after the piece, which
    starts at a multiple of the alignment, and takes its bytes alone, unrounded. Rows of a
    tensor that somebody wants in one piece are such buffers.

    A row of a tensor is `row_of` the number that all rows of that tensor have.
    """

    name: str
    size_bytes: int
    writers: tuple[int, ...]
    readers: tuple[int, ...]
    held: bool = False
    from_start: bool = False
    in_parts: bool = False
    piece: int | None = None
    place_bytes: int = 0
    row_of: int | None = None

    def room_bytes(self, alignment: int) -> int:
        """What it takes in the arena: its size, rounded up unless it is part of a piece."""
        if self.piece is not None:
            return self.size_bytes
        return -(-self.size_bytes // alignment) * alignment


@dataclass(frozen=True, slots=True)
class Step:
    """Something that runs: it writes and reads buffers and may need scratch."""

    name: str
    kind: str
    scratch_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Overlap:
    """How `step` may write buffer `written` over buffer `read`, if it is the last to touch `read`.

    With distance = offset of `read` - offset of `written`, it may where
    low_bytes <= distance <= high_bytes (None: no limit) and the distance is a
    multiple of `multiple_bytes`. Several for the same buffers are alternatives,
    of which a plan takes those of one `form`: a name for how the step runs,
    empty for its usual way.
    """

    step: int
    read: int
    written: int
    low_bytes: int | None = None
    high_bytes: int | None = None
    multiple_bytes: int = 1
    form: str = ""


@dataclass(frozen=True, slots=True)
class StepGraph:
    """Steps, the buffers between them, and what else orders them.

    `precedence` holds pairs (before, after) of steps beyond those that the
    buffers imply (every writer of a buffer runs before every reader).
    Sizes are unrounded; `alignment` is the power of two that offsets are
    multiples of and that sizes are rounded up to when they are added up (not within a piece).
    Buffers that live together lie apart, but for `overlaps`. `rules` names what
    the graph was made with, such as "orders+views"; every claim about it is one
    under these rules.
    """

    steps: tuple[Step, ...]
    buffers: tuple[Buffer, ...]
    precedence: tuple[tuple[int, int], ...] = ()
    alignment: int = 16
    overlaps: tuple[Overlap, ...] = ()
    rules: str = "orders"


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Half open, in positions of an order: live at `start <= position < end`."""

    start: int
    end: int
