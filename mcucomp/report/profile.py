"""Where does an inference spend its instructions?

In: a build directory and a run with its steps counted. Out: a row an operator,
and documents made of them: JSON, text, and one HTML page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import jinja2

import mcucomp
from mcucomp.errors import printable
from mcucomp.report.run_text import count_unit
from mcucomp.report.terminal import stdout, table

if TYPE_CHECKING:
    from mcucomp.build_directory import BuildDirectory
    from mcucomp.device import Run
    from mcucomp.device.emulated_cycles import StepCycles

SCHEMA = 1

# What no direct kernel of the DSP extension goes below: a dual multiply-accumulate for two
# products, and four instructions to make a byte of a sum.
PRODUCTS_AN_INSTRUCTION = 2
INSTRUCTIONS_AN_OUTPUT = 4


@dataclass(frozen=True, slots=True)
class Row:
    """One operator. `count` is in the unit of the profile; `floor` is None without products.

    `cycles` is an estimate for a Cortex-M4, at least and at most; None where there is none.
    """

    step: int
    kind: str
    kernel: str
    count: int
    share: float
    macs: int
    floor: int | None
    cycles: tuple[int, int] | None = None

    @property
    def per_mac(self) -> float | None:
        return self.count / self.macs if self.macs else None

    @property
    def times_floor(self) -> float | None:
        """How many times the floor was executed."""
        return self.count / self.floor if self.floor else None


@dataclass(frozen=True, slots=True)
class Profile:
    """All operators of one inference, in their order. `unit` is instructions or cycles."""

    model: str
    board: str
    transport: str
    unit: str
    rows: tuple[Row, ...]

    @property
    def total(self) -> int:
        return sum(row.count for row in self.rows)

    @property
    def macs(self) -> int:
        return sum(row.macs for row in self.rows)

    @property
    def cycles(self) -> tuple[int, int] | None:
        """The estimate for all operators."""
        each = [row.cycles for row in self.rows if row.cycles is not None]
        if not each or len(each) < len(self.rows):
            return None
        return sum(low for low, _ in each), sum(high for _, high in each)


def profile(build: BuildDirectory, run: Run, cycles: Sequence[StepCycles] = ()) -> Profile:
    """The profile of a run whose steps were counted, perhaps with cycles estimated for each."""
    assert run.steps is not None
    unit = count_unit(run)
    counts = [getattr(step, unit) or 0 for step in run.steps]
    total = sum(counts)
    rows = tuple(
        Row(
            step=operator["step"],
            kind=operator["kind"],
            kernel=operator["kernel"],
            count=count,
            share=count / total if total else 0.0,
            macs=operator["macs"],
            floor=_floor(operator["macs"], operator["output_elements"]),
            cycles=(cycles[k].at_least, cycles[k].at_most) if cycles else None,
        )
        for k, (operator, count) in enumerate(zip(build.report["operators"], counts, strict=True))
    )
    return Profile(build.report["model"]["file"], run.board, run.transport, unit, rows)


def _floor(macs: int, outputs: int) -> int | None:
    if not macs:
        return None
    return -(-macs // PRODUCTS_AN_INSTRUCTION) + INSTRUCTIONS_AN_OUTPUT * outputs


def profile_document(profiled: Profile) -> dict[str, object]:
    """What `mcucomp profile --json` prints."""
    return {
        "schema": SCHEMA,
        "mcucomp": mcucomp.__version__,
        "model": profiled.model,
        "board": profiled.board,
        "transport": profiled.transport,
        "unit": profiled.unit,
        "total": profiled.total,
        "macs": profiled.macs,
        "estimated_m4_cycles": profiled.cycles,
        "operators": [
            {
                "step": row.step,
                "kind": row.kind,
                "kernel": row.kernel,
                profiled.unit: row.count,
                "share": row.share,
                "macs": row.macs,
                "per_mac": row.per_mac,
                "floor_instructions": row.floor,
                "times_floor": row.times_floor,
                "estimated_m4_cycles": row.cycles,
            }
            for row in profiled.rows
        ],
    }


def profile_text(profiled: Profile) -> None:
    """Print the profile as a table."""
    numbers = ("step", *_columns(profiled))
    rows = table("step", "operator", *numbers[1:], "kernel", right=numbers)
    for row in profiled.rows:
        rows.add_row(str(row.step), row.kind, *_cells(row, profiled), row.kernel)
    stdout().print(rows)
    per_mac = f", {profiled.total / profiled.macs:.2f} per MAC" if profiled.macs else ""
    stdout().print(
        f"{profiled.total:,} {profiled.unit} in {len(profiled.rows)} operators{per_mac}; "
        + _about(profiled.unit)
    )
    if profiled.cycles is not None:
        stdout().print(f"estimate for a Cortex-M4: {_cycles(profiled.cycles)} cycles; {_ESTIMATE}")


def _about(unit: str) -> str:
    floor = "floor: an instruction for two products and four for an output"
    return f"{floor}; counted, these are not cycles" if unit == "instructions" else floor


_ESTIMATE = "from classes of instructions, with memory that never waits; nothing was measured"


def _columns(profiled: Profile) -> list[str]:
    estimate = [] if profiled.cycles is None else ["M4 cycles, estimate"]
    return [profiled.unit, "share", "MACs", "per MAC", "of floor", *estimate]


def _cells(row: Row, profiled: Profile) -> Sequence[str]:
    """What stands below `_columns`."""
    cells = [
        f"{row.count:,}",
        f"{100 * row.share:.1f} %",
        f"{row.macs:,}" if row.macs else "",
        "" if row.per_mac is None else f"{row.per_mac:.2f}",
        "" if row.times_floor is None else f"{row.times_floor:.2f}",
    ]
    if profiled.cycles is not None:
        cells.append("" if row.cycles is None else _cycles(row.cycles))
    return cells


def _cycles(bounds: tuple[int, int]) -> str:
    low, high = bounds
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def profile_html(profiled: Profile) -> str:
    """One page with a bar an operator; it needs nothing but itself."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("mcucomp.report"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
    )
    longest = max((row.share for row in profiled.rows), default=0.0)
    return environment.get_template("profile.html.j2").render(
        version=mcucomp.__version__,
        profile=profiled,
        model=printable(profiled.model),
        about=_about(profiled.unit),
        columns=_columns(profiled),
        estimate=_ESTIMATE if profiled.cycles is not None else "",
        rows=[
            (row, _cells(row, profiled), f"{100 * row.share / longest if longest else 0:.2f}")
            for row in profiled.rows
        ],
    )
