"""The two consoles: stdout for the answer, stderr for the story."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

PROGRESS_AFTER_S = 1.0
LINE_EVERY_S = 5.0
PIPE_CHARACTERS = 400


def stdout() -> Console:
    """Where answers go. Made anew each time, so that redirected streams are respected."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    if not console.is_terminal:
        # A file or a pipe has no width to which a table should be cut.
        console.width = PIPE_CHARACTERS
    return console


def stderr() -> Console:
    """Where everything but the answer goes."""
    return Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def print_json(document: Mapping[str, object]) -> None:
    """One document on stdout and nothing else."""
    click.echo(json.dumps(document, indent=2, ensure_ascii=True))


def table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    """An empty table in the house style; the columns named in `right` hold numbers."""
    result = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        result.add_column(column, justify="right" if column in right else "left")
    return result


class Story:
    """Progress that shows itself once something takes longer than a second."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=None)
        self._started_s = time.monotonic()
        self._next_s = self._started_s + PROGRESS_AFTER_S

    def __call__(self, what: str, done: int = 0, total: int | None = None) -> None:
        """Say what goes on, and how much of it is done."""
        now_s = time.monotonic()
        if now_s < self._next_s:
            return
        if self._progress.console.is_terminal:
            self._progress.start()
            self._progress.update(self._task, description=what, completed=done, total=total)
        else:
            share = f" {done:,} of {total:,}" if total else ""
            self._progress.console.print(f"{what}{share} ({now_s - self._started_s:.0f} s)")
            self._next_s = now_s + LINE_EVERY_S


@contextmanager
def story() -> Iterator[Story]:
    """A `Story` on stderr; where that is no terminal, a line every few seconds."""
    progress = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TimeElapsedColumn(),
        console=stderr(),
        transient=True,
    )
    try:
        yield Story(progress)
    finally:
        if progress.live.is_started:
            progress.stop()
