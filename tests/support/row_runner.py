"""How does a test run a kernel call row by row on the host, over a shadow of the arena?

Every row lies where the test says. While a step runs, the rows of its window
are what may be read, its output row, scratch and state what may be written; the
kernels are those of `shadow_runner`, whose loads and stores are watched.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mcucomp.ops import KernelCall
from mcucomp.ops.row_types import RowForm, RowMode
from tests.support.kernel_runner import params_struct
from tests.support.shadow_runner import library

MARGIN_BYTES = 64


@dataclass(slots=True)
class RowArena:
    """Bytes in which rows lie, and what the steps' reads and writes met, added up."""

    size_bytes: int
    stale_reads: int = 0
    stray_reads: int = 0
    stray_writes: int = 0
    _bytes: np.ndarray = field(init=False)
    _start: int = field(init=False)

    def __post_init__(self) -> None:
        noise = np.random.default_rng(7)
        self._bytes = noise.integers(0, 256, self.size_bytes + 2 * MARGIN_BYTES, dtype=np.uint8)
        self._start = MARGIN_BYTES - self._bytes.ctypes.data % 16

    @property
    def clean(self) -> bool:
        return not (self.stale_reads or self.stray_reads or self.stray_writes)

    def write(self, offset: int, values: bytes) -> None:
        at = self._start + offset
        self._bytes[at : at + len(values)] = np.frombuffer(values, np.uint8)

    def read(self, offset: int, size_bytes: int) -> bytes:
        at = self._start + offset
        return self._bytes[at : at + size_bytes].tobytes()

    def step(
        self,
        form: RowForm,
        row: int,
        taps: Sequence[int | None],
        out: int,
        scratch: int = 0,
        state: int = 0,
    ) -> None:
        """Run one step: the offset of each tap (None outside the image), of output, scratch, state.

        `out` is where the output row goes, or the whole output of a form that accumulates.
        """
        kept = [] if form.border is None else [np.ascontiguousarray(form.border.values)]
        border = kept[0].ctypes.data if kept else None
        owners, rights = (np.zeros(self._bytes.size, np.uint8) for _ in range(2))
        sizes = [w.row_bytes for w in form.windows for _ in range(_taps(form, w.taps))]
        for tap, size in zip(taps, sizes, strict=True):
            if tap is not None:
                owners[self._start + tap : self._start + tap + size] = 1
        written = [(out, form.out_row_bytes, 1), (scratch, form.scratch_bytes, 2)]
        written.append((state, form.state_bytes, 2))
        for offset, size_bytes, right in written:
            rights[self._start + offset : self._start + offset + size_bytes] = right
        if form.state_bytes:  # what an earlier step left there may be read
            owners[self._start + state : self._start + state + form.state_bytes] = 3
        pointers = [border if tap is None else self._address(tap) for tap in taps]
        arguments = self._arguments(form, row, pointers, out, scratch, state)
        self._watched(form, owners, rights, arguments)

    def _address(self, offset: int) -> int:
        return int(self._bytes.ctypes.data) + self._start + offset

    def _arguments(
        self,
        form: RowForm,
        row: int,
        pointers: Sequence[int | None],
        out: int,
        scratch: int,
        state: int,
    ) -> list[object]:
        given = [ctypes.c_void_p(p) for p in pointers]
        arguments: list[object] = [(ctypes.c_void_p * len(given))(*given)]
        if not form.as_array:
            arguments = list(given)
        if form.state_bytes:
            arguments.append(ctypes.c_void_p(self._address(state)))
        arguments.append(ctypes.c_void_p(self._address(out)))
        if form.takes_scratch:
            arguments.append(
                ctypes.c_void_p(self._address(scratch) if form.scratch_bytes else None)
            )
        if form.takes_row:
            arguments.append(ctypes.c_int32(row))
        return arguments

    def _watched(
        self, form: RowForm, owners: np.ndarray, rights: np.ndarray, arguments: Sequence[object]
    ) -> None:
        struct, kept = params_struct(KernelCall(form.kernel, form.params, (), ()))
        shadow = library()
        arrays = [ctypes.c_void_p(a.ctypes.data) for a in (self._bytes, owners, rights)]
        shadow.shadow_watch(arrays[0], ctypes.c_size_t(self._bytes.size), arrays[1], arrays[2])
        function = getattr(shadow, form.kernel)
        function.restype = None
        function(ctypes.byref(struct), *arguments)
        counts = (ctypes.c_long * 3)()
        shadow.shadow_result(counts)
        shadow.shadow_watch(None, ctypes.c_size_t(0), None, None)
        assert kept is not None
        self.stale_reads += counts[0]
        self.stray_reads += counts[1]
        self.stray_writes += counts[2]


def _taps(form: RowForm, taps: int) -> int:
    return 1 if form.mode is RowMode.ACCUMULATE else taps


def steps(form: RowForm) -> list[int]:
    """The rows of the steps, in order: of the output, or of the input where it accumulates."""
    if form.mode is RowMode.WINDOW:
        return list(range(form.out_rows))
    window = form.windows[0]
    return [y for y in window.rows(0) if 0 <= y < window.height]


def rows_read(form: RowForm, row: int) -> list[list[int | None]]:
    """For each window, the rows of its taps at the step `row`; None outside the image."""
    if form.mode is RowMode.ACCUMULATE:
        return [[row]]
    return [[y if 0 <= y < w.height else None for y in w.rows(row)] for w in form.windows]
