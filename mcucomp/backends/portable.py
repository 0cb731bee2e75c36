"""The portable kernels: C99, one a file, for every CPU."""

from __future__ import annotations

from pathlib import PurePosixPath

from mcucomp.backends.base import Backend

BACKEND = Backend(
    name="portable",
    folder=PurePosixPath("kernels/portable"),
    suffix="",
    cpus=None,
    rules={},
)
