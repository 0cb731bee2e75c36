"""Starting a program that is to be ended, whatever happens."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import IO

_PATIENCE_S = 2.0


def start(
    command: list[str],
    *,
    stderr: IO[bytes],
    pipes: bool = False,
    stdin: int | None = None,
    stdout: IO[bytes] | None = None,
    folder: Path | None = None,
    pass_fds: tuple[int, ...] = (),
) -> subprocess.Popen[bytes]:
    """The program, running in `folder`. It is killed when its parent dies, where `setpriv` is
    there. Its input and output are pipes, what the arguments say, or lead nowhere.

    Raises:
        OSError: it cannot be started.
    """
    if shutil.which("setpriv"):
        command = ["setpriv", "--pdeathsig", "KILL", *command]
    stream = subprocess.PIPE if pipes else subprocess.DEVNULL
    return subprocess.Popen(
        command,
        stdin=stream if stdin is None else stdin,
        stdout=stream if stdout is None else stdout,
        stderr=stderr,
        bufsize=0,
        cwd=folder,
        pass_fds=pass_fds,
        start_new_session=True,  # the terminal's Ctrl-C is for us; we then end the child
    )


def end(child: subprocess.Popen[bytes]) -> None:
    """Ask it to end, and kill it when it does not."""
    if child.poll() is None:
        child.terminate()
        try:
            child.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
    for stream in (child.stdin, child.stdout):
        if stream is not None:
            stream.close()


def last_lines(path: Path, most: int = 5) -> list[str]:
    """The end of what a program wrote to its error stream."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return [line.rstrip() for line in text.splitlines() if line.strip()][-most:]
