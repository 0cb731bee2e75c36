"""Whole pipeline under fire: damaged models are planned, compiled, run, and watched.

    python -m tests.fuzz.pipeline [--seconds S] [--seed N] [--build-every N] [--keep DIR]
        [FILE or DIR]...

Each damaged file is refused with one of our errors, or planned, in bounded time and
memory. Of those every N-th is built for the host with AddressSanitizer and UBSan and
run on drawn inputs; then guards must be whole and the measured arena peak the predicted
one. Where `tflite-micro` is installed,
outputs are compared with its too. Anything else is a find: its file and the
reason go to the folder of finds. Without files, models of the tests and the
small public ones are damaged. Exit status 1 where something was found.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from mcucomp import build_directory, pipeline
from mcucomp.backends import Selection
from mcucomp.build import toolchain
from mcucomp.check import reference, session
from mcucomp.check.inputs import drawn
from mcucomp.errors import DeviceError, McucompError, OutsideError
from mcucomp.ir import DType
from mcucomp.rules import ALL, DEFAULT
from tests.fuzz.mutations import mutations, restructured
from tests.fuzz.seeds import planned_seeds
from tests.support import tools

PLAN_S = 20
RUN_S = 60.0
PLAN_MEMORY_BYTES = 1 << 30  # above what the process has when it starts to plan
BUILT_ARENA_BYTES = 32 << 20  # what is larger is planned, not run
BUILT_WEIGHTS_BYTES = 400_000
INPUTS = 2
EVERY_S = 60.0


class Hang(Exception):
    """Something took longer than it may."""


@contextlib.contextmanager
def bounded(seconds: int, memory_bytes: int | None) -> Iterator[None]:
    """Raise `Hang` after so many seconds of this process, MemoryError above so many more bytes."""

    def stop(_signal: int, _frame: object) -> None:
        raise Hang(f"took longer than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if memory_bytes is not None:
        status = Path("/proc/self/statm").read_text().split()
        now_bytes = int(status[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now_bytes + memory_bytes, hard))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def with_kept_objects(folder: Path) -> Callable[[Sequence[str], Path], None]:
    """The toolchain's `run`, which compiles each source of the firmware once."""
    compile_anew = toolchain.run

    def run(command: Sequence[str], work: Path) -> None:
        source = Path(command[-1])
        if "-c" not in command or not source.is_absolute():
            return compile_anew(command, work)
        flags = [part for part in command if str(work) not in part]
        kept = folder / f"{abs(hash(tuple(flags))):x}.o"
        target = work / command[command.index("-o") + 1]
        if not kept.is_file():
            compile_anew(command, work)
            shutil.copy(target, kept)
        shutil.copy(kept, target)
        return None

    return run


def outcome(data: bytes, folder: Path, seed: int, *, is_built: bool = True) -> str:
    """What becomes of a damaged file, in a word; what is wrong with us is raised."""
    try:
        with bounded(PLAN_S, PLAN_MEMORY_BYTES):
            planned = pipeline.plan_model(data, "damaged.tflite")
            if not is_built:
                cpu = ("generic", "cortex-m4")[seed % 2]
                rules = (DEFAULT, replace(ALL, rows=True))[seed // 2 % 2]
                selection = Selection(cpu)
                pipeline.plan_model(data, "damaged.tflite", rules=rules, selection=selection)
                return "planned"
        weights_bytes = sum(len(t.data or b"") for t in planned.model.graphs[0].tensors)
        if planned.plan.arena_bytes > BUILT_ARENA_BYTES or weights_bytes > BUILT_WEIGHTS_BYTES:
            return "planned"
        path = folder / "damaged.tflite"
        path.write_bytes(data)
        pipeline.build(path, "host", folder / "out", pipeline.Options(sanitize=True))
    except OutsideError:
        raise  # our C does not compile
    except McucompError as error:
        if error.exit_code not in (1, 2):
            raise
        require_safe(error)
        return type(error).__name__
    return _run(folder / "out", seed)


def require_safe(error: McucompError) -> None:
    """The message says where, what to do, and cannot steer a terminal."""
    text = str(error)
    assert text.startswith("damaged.tflite"), f"the message does not say where: {text!r}"
    assert all(line.isprintable() for line in text.split("\n")), f"not printable: {text!r}"


def _run(folder: Path, seed: int) -> str:
    """Run a build on drawn inputs; compare with TFLM where it runs the model at all."""
    build = build_directory.load(folder)
    inputs = drawn(build.graph, INPUTS, seed)
    try:
        with session(build, timeout_s=RUN_S) as device:
            runs = device.infer_sequence(inputs)
    except DeviceError:
        if not any(o.kind == "WHILE" for graph in build.model.graphs for o in graph.operators):
            raise
        return "does not end"  # its loop has no end, whoever runs it
    assert all(run.guards_ok for run in runs), "a guard byte was overwritten"
    peaks, predicted = {run.arena_peak_bytes for run in runs}, build.possible_peaks_bytes
    assert peaks <= predicted, f"{sorted(predicted)} predicted, {peaks} found"
    if tools.missing("tflite_micro"):
        return "ran"
    try:
        expected = reference.outputs(build.model, build.graph, inputs, INPUTS)
    except (McucompError, Exception) as error:  # what TFLM does not run, it does not judge
        return f"ran, no judge ({type(error).__name__})"
    floats = [build.graph.tensors[t].dtype is DType.FLOAT32 for t in build.graph.outputs]
    for wanted, run in zip(expected, runs, strict=True):
        for is_float, ours, theirs in zip(floats, run.outputs, wanted, strict=True):
            assert _plain(ours, is_float) == _plain(theirs, is_float), "outputs differ from TFLM's"
    return "ran as TFLM"


def _plain(data: bytes, is_float: bool) -> bytes:
    """An output's bytes; C does not say which bits a NaN has, so that all are one."""
    if not is_float:
        return bytes(data)
    values = np.frombuffer(data, np.float32)
    return np.where(np.isnan(values), np.float32(np.nan), values).tobytes()


def damaged_files(files: Sequence[bytes], source: random.Random) -> Iterator[bytes]:
    """Without end: mostly other values in sound files, sometimes other bytes."""
    while True:
        data = source.choice(files)
        changed = restructured(data, source) if source.random() < 0.85 else None
        yield next(mutations(data, 1, source)) if changed is None else changed


def fuzz(
    files: Sequence[bytes], seconds: float, seed: int, build_every: int, keep: Path
) -> Counter[str]:
    """Damage, plan and build for so long; the outcomes, counted, finds under `FOUND ...`."""
    counts: Counter[str] = Counter()
    source, started_s, said_s = random.Random(seed), time.monotonic(), 0.0
    with tempfile.TemporaryDirectory(prefix="mcucomp-fuzz-") as name:
        toolchain.run = with_kept_objects(Path(name))
        for number, data in enumerate(damaged_files(files, source)):
            now_s = time.monotonic() - started_s
            if now_s > seconds:
                break
            if now_s - said_s > EVERY_S:
                said_s = now_s
                print(f"{now_s:.0f} s: {number} files, {told(counts)}", flush=True)
            with tempfile.TemporaryDirectory(dir=name) as work:
                try:
                    is_built = number % build_every == 0
                    counts[outcome(data, Path(work), seed + number, is_built=is_built)] += 1
                except (Exception, MemoryError) as error:
                    counts[f"FOUND {type(error).__name__}"] += 1
                    _keep(data, error, keep, f"{seed}-{number}")
    return counts


def _keep(data: bytes, error: BaseException, keep: Path, name: str) -> None:
    keep.mkdir(parents=True, exist_ok=True)
    (keep / f"{name}.tflite").write_bytes(data)
    (keep / f"{name}.txt").write_text("".join(traceback.format_exception(error)), "utf-8")
    line = str(error).strip().replace("\n", " ")[:200]
    print(f"FOUND {name}: {type(error).__name__}: {line}", flush=True)


def told(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build-every", type=int, default=8)
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"))
    parser.add_argument("paths", nargs="*", type=Path)
    given = parser.parse_args()
    counts = fuzz(
        planned_seeds(given.paths), given.seconds, given.seed, given.build_every, given.keep
    )
    print(f"{sum(counts.values())} files in {given.seconds:.0f} s: {told(counts)}")
    return 1 if any(what.startswith("FOUND") for what in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
