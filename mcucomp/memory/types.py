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
    """

    name: str
    size_bytes: int
    writers: tuple[int, ...]
    readers: tuple[int, ...]
    held: bool = False
    from_start: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """Something that runs: it writes and reads buffers and may need scratch."""

    name: str
    kind: str
    scratch_bytes: int = 0


@dataclass(frozen=True, slots=True)
class StepGraph:
    """Steps, the buffers between them, and what else orders them.

    `precedence` holds pairs (before, after) of steps beyond those that the
    buffers imply (every writer of a buffer runs before every reader).
    Sizes are unrounded; `alignment` is the power of two that offsets are
    multiples of and that sizes are rounded up to when they are added up.
    """

    steps: tuple[Step, ...]
    buffers: tuple[Buffer, ...]
    precedence: tuple[tuple[int, int], ...] = ()
    alignment: int = 16


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Half open, in positions of an order: live at `start <= position < end`."""

    start: int
    end: int
