"""What TensorFlow Lite Micro needs, and what a rewrite saved, told to a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcucomp.errors import printable, short_name
from mcucomp.report.terminal import stdout, table

if TYPE_CHECKING:
    from mcucomp.rewriting import Needs, Rewritten
    from mcucomp.tflm import Footprint, Peak


def arena_text(needs: Needs) -> None:
    """Print head, smallest arena, and the peak with all that is in use at it."""
    line, arena = stdout().print, needs.arena
    offsets = ", offsets prescribed by the file" if arena.is_prescribed else ""
    source = printable(needs.model.source)
    line(f"{source} in TensorFlow Lite Micro, kernels: {arena.kernels}{offsets}")
    line(f"head       {arena.head_bytes:,} B (exact: activations and scratch)")
    if needs.host is None:
        line(f"this host  {needs.why_not_measured}")
    else:
        line(
            f"this host  {needs.host.smallest_arena_bytes:,} B is the smallest arena that runs"
            " (measured)"
        )
    line(f"32-bit     {_target(arena.target)}")
    if arena.peak is not None:
        _print_peak(arena.peak, arena.head_bytes)


def _target(target: Footprint) -> str:
    return (
        f"about {target.smallest_arena_bytes:,} B is the smallest arena"
        f" (estimated, within {target.uncertainty_bytes:,} B)"
    )


def _print_peak(peak: Peak, head_bytes: int) -> None:
    line = stdout().print
    where = "before the first operator"
    if peak.operator is not None:
        graph = f"graph {peak.graph} " if peak.graph else ""
        where = f"{graph}operator {peak.operator} {peak.kind}"
    line(f"peak       {peak.live_bytes:,} B in use at {where}:")
    rows = table("offset", "bytes", "what", right=("offset", "bytes"))
    for item in peak.in_use:
        rows.add_row(f"{item.offset:,}", f"{item.size_bytes:,}", short_name(item.name))
    stdout().print(rows)
    if head_bytes > peak.live_bytes:
        line(
            f"gaps       {head_bytes - peak.live_bytes:,} B of the head are never in use at the"
            " peak; 'mcucomp rewrite' may close them"
        )


def rewrite_text(done: Rewritten) -> None:
    """Print what was written, before and after, and what was checked."""
    line, made = stdout().print, done.rewrite
    line(f"{printable(done.model.source)}: {printable(str(done.path))}")
    rows = table("", "before", "after", "saved", right=("before", "after", "saved"))
    pairs = [("head", done.before.head_bytes, done.after.head_bytes)]
    if done.measured is not None:
        sizes = [measured.smallest_arena_bytes for measured in done.measured]
        pairs.append(("smallest arena, this host", sizes[0], sizes[1]))
    pairs.append(
        (
            "smallest arena, 32-bit, about",
            done.before.target.smallest_arena_bytes,
            done.after.target.smallest_arena_bytes,
        )
    )
    pairs.append(("file", *made.file_bytes))
    for what, before, after in pairs:
        rows.add_row(what, f"{before:,}", f"{after:,}", f"{100 * (before - after) / before:.1f} %")
    stdout().print(rows)
    line(f"order      {made.moved} operators moved")
    prescribed = len(made.after.offsets or ())
    shared = f", {made.after.shared} outputs in place" if made.after.shared else ""
    line(f"offsets    {f'{prescribed} prescribed{shared}' if prescribed else 'left to TFLM'}")
    for note in done.notes:
        line(f"note       {note}")
    if done.comparison is None:
        line("verified   not at all: nothing was run")
    else:
        line(
            f"verified   {done.comparison.inputs} inputs, {done.comparison.output_bytes:,} output"
            " bytes equal; heads as predicted"
        )
