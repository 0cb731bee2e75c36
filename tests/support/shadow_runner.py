"""Does a kernel keep its contract where its output lies over its input?

All portable kernels are compiled so that every load and store calls into
`shadow.c`, which knows for each byte of an arena whose it is at that moment. A
call runs with its first input at any distance from its output; what comes back
says how many reads met a byte that had been overwritten, or that is nobody's,
and how many writes fell outside the output.
"""

from __future__ import annotations

import ctypes
import functools
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mcucomp.ops import KernelCall
from tests.support.kernel_runner import FIRMWARE, params_struct

MARGIN_BYTES = 64
_FLAGS = (
    "-std=c99", "-O1", "-fPIC", "-ffp-contract=off", "-fno-builtin",
    "-Dmemmove=shadow_memmove", "-Dmemcpy=shadow_memcpy", "-Dmemset=shadow_memset",
    "-fsanitize=kernel-address", "--param", "asan-instrumentation-with-call-threshold=0",
    "--param", "asan-stack=0", "--param", "asan-globals=0",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shadowed:
    """The output of a call, and what its reads and writes met."""

    output: np.ndarray
    stale_reads: int
    stray_reads: int
    stray_writes: int

    @property
    def keeps_to_its_bytes(self) -> bool:
        return not (self.stray_reads or self.stray_writes)

    @property
    def clean(self) -> bool:
        return not self.stale_reads and self.keeps_to_its_bytes


@functools.cache
def library() -> ctypes.CDLL:
    """The kernels with their loads and stores watched."""
    compiler = shutil.which("gcc")
    assert compiler, "no gcc found; install gcc"
    folder = Path(tempfile.mkdtemp(prefix="mcucomp-shadow-"))
    include = f"-I{FIRMWARE / 'include'}"
    kernels = sorted((FIRMWARE / "kernels" / "portable").glob("*.c"))
    subprocess.run([compiler, *_FLAGS, include, "-c", *map(str, kernels)], check=True, cwd=folder)
    target = folder / "shadow.so"
    shadow = Path(__file__).with_name("shadow.c")
    objects = map(str, sorted(folder.glob("*.o")))
    command = [compiler, "-std=c99", "-O1", "-fPIC", "-shared", "-o", str(target), str(shadow)]
    subprocess.run([*command, *objects], check=True)
    loaded = ctypes.CDLL(str(target))
    shutil.rmtree(folder)
    return loaded


def run_overlapped(
    call: KernelCall, inputs: Sequence[np.ndarray], output_bytes: int, distances: Sequence[int]
) -> Shadowed:
    """Run `call`, input k at `distances[k]` bytes above the start of the output.

    Inputs that overlap each other must hold the same bytes there.
    """
    data = [np.frombuffer(a.tobytes(), np.uint8) for a in inputs]
    low = min(0, *distances)
    high = max(output_bytes, *(d + len(a) for d, a in zip(distances, data, strict=True)))
    pad = MARGIN_BYTES + -low % 16  # the output's address is a multiple of 16
    arena = np.zeros(high - low + 2 * pad + 16 + call.scratch_bytes, np.uint8)
    skip = -arena.ctypes.data % 16
    owners, rights = np.zeros(arena.size, np.uint8), np.zeros(arena.size, np.uint8)
    out = skip + pad - low
    for d, values in zip(distances, data, strict=True):
        arena[out + d : out + d + len(values)] = values
        owners[out + d : out + d + len(values)] = 1
    rights[out : out + output_bytes] = 1
    places = [out + d for d in distances] + [out]
    if call.scratch_bytes:
        scratch = out + high + pad
        rights[scratch : scratch + call.scratch_bytes] = 2
        places.append(scratch)
    counts = _watched(call, arena, owners, rights, places)
    return Shadowed(arena[out : out + output_bytes].copy(), *counts)


class ShadowArena:
    """An arena in which the steps of a plan run one after the other.

    While a step runs, only the tensors that it reads are anybody's; it may write its outputs alone.
    """

    def __init__(self, arena_bytes: int) -> None:
        self._bytes = np.zeros(arena_bytes + 16, np.uint8)
        self._start = -self._bytes.ctypes.data % 16

    def write(self, span: tuple[int, int], values: np.ndarray) -> None:
        """Put `values` at (offset, bytes)."""
        at = self._start + span[0]
        self._bytes[at : at + span[1]] = np.frombuffer(values.tobytes(), np.uint8)

    def read(self, span: tuple[int, int]) -> bytes:
        """What is at (offset, bytes)."""
        at = self._start + span[0]
        return self._bytes[at : at + span[1]].tobytes()

    def run(
        self,
        call: KernelCall,
        reads: Sequence[tuple[int, int]],
        writes: Sequence[tuple[int, int]],
    ) -> Shadowed:
        """Run `call` on tensors at (offset, bytes)."""
        owners, rights = (np.zeros(self._bytes.size, np.uint8) for _ in range(2))
        for offset, size_bytes in reads:
            owners[self._start + offset : self._start + offset + size_bytes] = 1
        for offset, size_bytes in writes:
            rights[self._start + offset : self._start + offset + size_bytes] = 1
        places = [self._start + offset for offset, _ in (*reads, *writes)]
        counts = _watched(call, self._bytes, owners, rights, places)
        return Shadowed(np.zeros(0, np.uint8), *counts)


def _watched(
    call: KernelCall,
    arena: np.ndarray,
    owners: np.ndarray,
    rights: np.ndarray,
    places: Sequence[int],
) -> tuple[int, int, int]:
    """Run `call` with pointers to `places`; (stale reads, stray reads, stray writes)."""
    assert not call.writes_as_array
    struct, kept = params_struct(call)
    shadow = library()
    arrays = [ctypes.c_void_p(a.ctypes.data) for a in (arena, owners, rights)]
    shadow.shadow_watch(arrays[0], ctypes.c_size_t(arena.size), arrays[1], arrays[2])
    function = getattr(shadow, call.kernel)
    function.restype = None
    pointers: list[Any] = [ctypes.c_void_p(arena.ctypes.data + p) for p in places]
    if call.reads_as_array:
        count = len(call.reads)
        pointers[:count] = [(ctypes.c_void_p * count)(*pointers[:count])]
    function(ctypes.byref(struct), *pointers)
    counts = (ctypes.c_long * 3)()
    shadow.shadow_result(counts)
    shadow.shadow_watch(None, ctypes.c_size_t(0), None, None)
    assert kept is not None
    return counts[0], counts[1], counts[2]
