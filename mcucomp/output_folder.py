"""How does a folder, or a file, appear only when everything in it is whole?

It is filled under another name beside its place and renamed at the end. In: where
it is to be, and the file by which an earlier one of ours is known (`marker`),
which may be replaced. Anything else that is there is left alone.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from mcucomp.errors import InvalidInput


def require_replaceable(folder: Path, marker: str, what: str) -> None:
    """Raise InvalidInput unless `folder` is absent, empty, or the `what` that `marker` marks."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InvalidInput("is a file", at=str(folder), fix="name another folder with -o")
    if any(folder.iterdir()) and not (folder / marker).is_file():
        raise InvalidInput(
            f"exists and is no {what} of mcucomp (it has no {marker})",
            at=str(folder),
            fix="name another folder with -o, or empty this one",
        )


@contextlib.contextmanager
def scratch_folder(folder: Path) -> Iterator[Path]:
    """A folder beside `folder`, so that it can be renamed into place; gone on failure."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    except OSError as error:
        raise InvalidInput(
            f"cannot be created: {error.strerror}", at=str(folder), fix="name another with -o"
        ) from error
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def replace(folder: Path, work: Path) -> None:
    """Put `work` where `folder` is, in one rename from the reader's point of view."""
    work.chmod(0o755)
    if folder.exists():
        old = work.with_name(work.name + ".old")
        folder.rename(old)
        work.rename(folder)
        shutil.rmtree(old)
    else:
        work.rename(folder)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is whole or not there: a neighbour takes its place in one rename.

    Raises OSError, with nothing left behind.
    """
    beside = path.with_name(f".{path.name}.part")
    try:
        beside.write_bytes(data)
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
