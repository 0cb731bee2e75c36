"""What a device answered: plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Firmware:
    """What the firmware says about itself."""

    model: str
    build_id: int
    arena_bytes: int
    step_count: int
    written_count: int
    input_bytes: tuple[int, ...]
    output_bytes: tuple[int, ...]
    has_ticks: bool
    has_cycles: bool
    clock_hz: int


@dataclass(frozen=True, slots=True)
class StepCount:
    """What one step needed. None where it was not measured.

    What the profiling hook and its call need is taken off already.
    """

    step: int
    instructions: int | None
    cycles: int | None


@dataclass(frozen=True, slots=True)
class Run:
    """One inference, measured in two runs over complementary paint.

    `arena_peak_bytes` is the larger of the two high-water marks. `guards` says
    which guard was damaged: ok, below, above or both. `stack_bytes` is what the
    model's invoke needs beyond an empty function; counts are of invoke alone.
    None is what could not be measured there, never 0. `traced` are the bytes
    of what the steps wrote, in the order of the model's table; empty unless asked for.
    """

    board: str
    transport: str
    arena_peak_bytes: int
    guards: str
    stack_bytes: int | None
    instructions: int | None
    cycles: int | None
    steps: tuple[StepCount, ...] | None
    outputs: tuple[bytes, ...]
    traced: tuple[bytes, ...] = ()

    @property
    def guards_ok(self) -> bool:
        """No byte beside the arena was changed."""
        return self.guards == "ok"
