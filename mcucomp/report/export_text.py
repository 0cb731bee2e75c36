"""An export, told to a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcucomp.errors import printable
from mcucomp.report.terminal import stdout, table

if TYPE_CHECKING:
    from mcucomp.pipeline import Exported


def export_text(exported: Exported) -> None:
    """Print what was written: the models' sizes, their kernels, and where to read on."""
    package = exported.package
    folder = printable(str(exported.folder))
    columns = ("arena", "peak", "weights", "constants")
    rows = table("model", "in C", *columns, right=columns)
    for model, planned in zip(package.models, exported.planned, strict=True):
        constants_bytes = model.sources.constants_bytes - model.sources.weights_bytes
        sizes = (
            model.arena_bytes,
            model.arena_peak_bytes,
            model.sources.weights_bytes,
            constants_bytes,
        )
        name = f"mcuc_{model.name}"
        rows.add_row(printable(planned.model.source), name, *(f"{n:,} B" for n in sizes))
    stdout().print(f"{package.name} for {exported.format}: {len(exported.files)} files in {folder}")
    stdout().print(rows)
    stdout().print("kernels    " + ", ".join(kernel.name for kernel in package.kernels))
    stdout().print(f"next       {folder}/README.md tells how to call it and how to build it")
