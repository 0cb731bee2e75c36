"""A build, told to a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcucomp.errors import printable
from mcucomp.fit import live_at, peak_position
from mcucomp.report.terminal import stdout, table

if TYPE_CHECKING:
    from mcucomp.pipeline import Built


def build_text(built: Built) -> None:
    """Print what was built: the plan's numbers, then flash and RAM by part and by region."""
    plan, step_graph = built.planned.plan, built.planned.main.memory.step_graph
    print_line = stdout().print
    source = printable(built.planned.model.source)
    print_line(f"{source} for {built.board.name}: {printable(str(built.folder))}")
    print_line(
        f"arena      {plan.arena_bytes:,} B predicted; the device must measure a peak of "
        f"{plan.high_water_bytes:,} B"
    )
    if built.sources.state_bytes:
        print_line(
            f"state      {built.sources.state_bytes:,} B beside it, "
            "which last from one inference to the next"
        )
    forms = {} if built.planned.rows is None else built.planned.rows.forms
    if forms:
        count = len(built.planned.main.choices)
        print_line(f"in rows    {len(forms)} of {count} operators run one row at a time")
    if step_graph.steps:
        position = peak_position(step_graph, plan)
        kind = step_graph.steps[plan.order[position]].kind
        print_line(f"live peak  {plan.peak_bytes:,} B at step {position}, {kind}:")
        for row in live_at(step_graph, plan, position):
            print_line(f"           {row}")
    _print_sizes(built)


def _print_sizes(built: Built) -> None:
    sizes = built.image.sizes
    if sizes is None:
        weights_bytes = built.sources.weights_bytes
        stdout().print(f"weights    {weights_bytes:,} B; this image runs on the host")
        return
    rows = table("part", "flash", "RAM", right=("flash", "RAM"))
    for part, flash_bytes, ram_bytes in (
        ("weights and constants", sizes.flash_weights_bytes, None),
        ("model (generated calls)", sizes.flash_model_bytes, None),
        ("kernels", sizes.flash_kernels_bytes, None),
        ("rest (start-up, serial, report)", sizes.flash_rest_bytes, sizes.ram_data_bytes),
        ("  of it harness: not in a product", sizes.flash_harness_bytes, None),
        ("arena and guard bytes", None, sizes.ram_arena_bytes),
        ("state and guard bytes", None, sizes.ram_state_bytes),
        ("stack, reserved", None, sizes.ram_stack_bytes),
        ("total", sizes.flash_bytes, sizes.ram_bytes),
    ):
        rows.add_row(part, *("" if n is None else f"{n:,}" for n in (flash_bytes, ram_bytes)))
    stdout().print(rows)
    _print_regions(built)


def _print_regions(built: Built) -> None:
    columns = ("bytes", "used", "left")
    rows = table("region", "kind", *columns, "holds", right=columns)
    for region in built.image.regions:
        numbers = (region.size_bytes, region.used_bytes, region.left_bytes)
        shown = [f"{n:,}" for n in numbers]
        rows.add_row(region.name, region.kind, *shown, ", ".join(region.parts) or "nothing")
    stdout().print()
    stdout().print(rows)
