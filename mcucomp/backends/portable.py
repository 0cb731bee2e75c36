"""The portable kernels: C99, one a file, for every CPU."""

from __future__ import annotations

from pathlib import PurePosixPath

FOLDER = PurePosixPath("kernels/portable")
PREFIX = "mcuc_"


def source(kernel: str) -> PurePosixPath:
    """The source of `kernel`, such as `mcuc_conv_2d_s8`, below the firmware folder."""
    return FOLDER / f"{kernel.removeprefix(PREFIX)}.c"


def header(kernel: str) -> str:
    """The header of `kernel`, as generated code includes it."""
    return f"mcuc/{kernel.removeprefix(PREFIX)}.h"
