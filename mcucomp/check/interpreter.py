"""How much arena does TensorFlow Lite Micro's own interpreter take on this host?

In: a model's bytes. Out: the head and the tail that the interpreter reports, and
the smallest arena with which it starts and runs, found by halving. The
interpreter runs in a child process: a model, or an arena that is too small, may
end it, and that is an answer too.
"""

from __future__ import annotations

import contextlib
import importlib.util
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from mcucomp.check.reference import PACKAGE
from mcucomp.errors import ToolFailed, printable

STEP_BYTES = 16
MOST_ARENA_BYTES = 1 << 30
_AMPLE_BYTES = 64 << 20
_TIMEOUT_S = 120.0
_MODULE = "mcucomp.check.interpreter_process"


@dataclass(frozen=True, slots=True)
class Measured:
    """What the interpreter took on this host.

    `smallest_arena_bytes` is the least multiple of 16 with which it starts and
    runs. It may be above `head_bytes + tail_bytes`, since planning itself
    needs room.
    """

    head_bytes: int
    tail_bytes: int
    smallest_arena_bytes: int


def installed() -> bool:
    """Whether the package `tflite-micro` can be imported."""
    return importlib.util.find_spec(PACKAGE) is not None


def measure(model: bytes, inputs: int, source: str) -> Measured:
    """Head, tail and smallest arena of the model, which has so many inputs; errors name `source`.

    Raises ToolFailed where the interpreter does not load the model into any
    arena, or loads it and cannot run it.
    """
    with _Child(model, inputs) as child:
        ample_bytes = _AMPLE_BYTES
        ample = child.load(ample_bytes)
        if ample is None:
            ample_bytes = MOST_ARENA_BYTES
            ample = child.load(ample_bytes)
        if ample is None:
            raise _failed("load", child, source)
        smallest_bytes = _smallest(child, sum(ample))
        while child.load(smallest_bytes, run=True) is None:
            if child.load(ample_bytes, run=True) is None:
                raise _failed("run", child, source)
            smallest_bytes += STEP_BYTES
        return Measured(*ample, smallest_bytes)


def _failed(what: str, child: _Child, source: str) -> ToolFailed:
    return ToolFailed(
        f"TensorFlow Lite Micro cannot {what} the model",
        at=printable(source),
        details=child.last_words(),
        fix="the model must run in TFLM's own interpreter to be measured in it",
    )


def _smallest(child: _Child, total_bytes: int) -> int:
    """Halving between the total, below which nothing starts, and a size that does."""
    low = -(-total_bytes // STEP_BYTES) - 1  # in steps, known not to start
    if child.load(low * STEP_BYTES) is not None:
        low = 0  # the figures were not its least; start from nothing
    width = 1
    while child.load((low + width) * STEP_BYTES) is None:
        low += width
        width *= 2
    high = low + width
    while high - low > 1:
        middle = (low + high) // 2
        if child.load(middle * STEP_BYTES) is None:
            low = middle
        else:
            high = middle
    return high * STEP_BYTES


class _Child:
    """A child process that answers questions about one model; started anew if it dies."""

    def __init__(self, model: bytes, inputs: int) -> None:
        self._model = model
        self._inputs = inputs
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> _Child:
        self._folder = tempfile.TemporaryDirectory(prefix="mcucomp-interpreter-")
        self._path = Path(self._folder.name) / "model.tflite"
        self._path.write_bytes(self._model)
        self._log = (Path(self._folder.name) / "stderr").open("w+")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()
        self._log.close()
        self._folder.cleanup()

    def load(self, arena_bytes: int, run: bool = False) -> tuple[int, int] | None:
        """(head, tail) in bytes with an arena of this size; None where it does not work."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        watchdog = threading.Timer(_TIMEOUT_S, process.kill)
        watchdog.start()
        try:
            process.stdin.write(f"{arena_bytes} {'run' if run else 'load'}\n")
            process.stdin.flush()
            words = process.stdout.readline().split()
        except BrokenPipeError:
            words = []
        finally:
            watchdog.cancel()
        if not words:
            self._end()
            return None
        return None if words[0] == "no" else (int(words[1]), int(words[2]))

    def last_words(self) -> list[str]:
        """The last lines that the interpreter wrote when it ended of itself."""
        self._log.seek(0)
        return list(dict.fromkeys(line.rstrip() for line in self._log if line.strip()))[-6:]

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", _MODULE, str(self._path), str(self._inputs)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                text=True,
            )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
