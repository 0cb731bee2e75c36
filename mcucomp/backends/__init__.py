"""Which C kernels exist for a CPU, and which sources are compiled for them?

One module a backend. The portable backend is complete and is the meaning of
every operator; another one lists only what it replaces.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from mcucomp.backends import cmsis_nn, dsp, portable
from mcucomp.backends.base import BACKWARD, PREFIX, Backend
from mcucomp.backends.choice import (
    Choice,
    KernelSet,
    Optimize,
    Selection,
    Wanted,
    choose,
    selection_from,
)

BACKENDS: tuple[Backend, ...] = (
    portable.BACKEND,
    dsp.BACKEND,
    cmsis_nn.backend("", cmsis_nn.FUNCTIONS.values()),
)


# Every CPU that a backend names, beside those that have the portable kernels alone.
CPUS = tuple(sorted({cpu for backend in BACKENDS for cpu in backend.cpus or ()}))


def backend_of(kernel: str) -> Backend:
    """Whose kernel it is; names tell."""
    special = [b for b in BACKENDS if b.suffix and b.suffix in kernel]
    return special[0] if special else portable.BACKEND


def source(kernel: str) -> PurePosixPath:
    """The source of `kernel`, such as `mcuc_conv_2d_s8`, below the firmware folder.

    A form that runs backwards is in the file of the kernel that runs forwards.
    """
    name = kernel.removeprefix(PREFIX).removesuffix(BACKWARD)
    return backend_of(kernel).folder / f"{name}.c"


def header(kernel: str) -> str:
    """The header of `kernel`, as generated code includes it."""
    return f"mcuc/{kernel.removeprefix(PREFIX)}.h"


__all__ = [
    "BACKENDS",
    "CPUS",
    "PREFIX",
    "Backend",
    "Choice",
    "KernelSet",
    "Optimize",
    "Selection",
    "Wanted",
    "backend_of",
    "choose",
    "header",
    "selection_from",
    "source",
]
