"""A build, told to a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcucomp.errors import printable
from mcucomp.fit import live_at, peak_position
from mcucomp.report.terminal import stdout, table

if TYPE_CHECKING:
    from mcucomp.pipeline import Built


def build_text(built: Built) -> None:
    """Print what was built: the plan's numbers, then flash and RAM by part."""
    plan, step_graph = built.planned.plan, built.planned.memory.step_graph
    print_line = stdout().print
    source = printable(built.planned.model.source)
    print_line(f"{source} for {built.board.name}: {printable(str(built.folder))}")
    print_line(
        f"arena      {plan.arena_bytes:,} B predicted; the device must measure a peak of "
        f"{plan.high_water_bytes:,} B"
    )
    if step_graph.steps:
        position = peak_position(step_graph, plan)
        kind = step_graph.steps[plan.order[position]].kind
        print_line(f"live peak  {plan.peak_bytes:,} B at step {position}, {kind}:")
        for row in live_at(step_graph, plan, position):
            print_line(f"           {row}")
    _print_sizes(built)


def _print_sizes(built: Built) -> None:
    sizes, board = built.image.sizes, built.board
    if sizes is None:
        weights_bytes = built.sources.weights_bytes
        stdout().print(f"weights    {weights_bytes:,} B; this image runs on the host")
        return
    assert board.flash_bytes is not None
    assert board.ram_bytes is not None
    rows = table("part", "flash", "RAM", right=("flash", "RAM"))
    for part, flash_bytes, ram_bytes in (
        ("weights and constants", sizes.flash_weights_bytes, None),
        ("model (generated calls)", sizes.flash_model_bytes, None),
        ("kernels", sizes.flash_kernels_bytes, None),
        ("rest (start-up, serial, report)", sizes.flash_rest_bytes, sizes.ram_data_bytes),
        ("arena and guard bytes", None, sizes.ram_arena_bytes),
        ("stack, reserved", None, sizes.ram_stack_bytes),
        ("total", sizes.flash_bytes, sizes.ram_bytes),
        (
            f"left on {board.name}",
            board.flash_bytes - sizes.flash_bytes,
            board.ram_bytes - sizes.ram_bytes,
        ),
    ):
        rows.add_row(part, *("" if n is None else f"{n:,}" for n in (flash_bytes, ram_bytes)))
    stdout().print(rows)
