"""What `mcucomp zoo` and its commands say on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcucomp.errors import printable
from mcucomp.report.terminal import stdout, table

if TYPE_CHECKING:
    from mcucomp.zoo import Trial, ZooModel


def zoo_text(models: Sequence[ZooModel], present: Sequence[bool]) -> None:
    """A row a model. Commits, paths and hashes are in the JSON document."""
    rows = table("model", "bytes", "here", "repository", "licence", "exercises", right=("bytes",))
    for model, is_here in zip(models, present, strict=True):
        rows.add_row(
            model.name,
            f"{model.size_bytes:,}",
            "yes" if is_here else "",
            model.repository,
            model.licence,
            model.exercises,
        )
    stdout().print(rows)


def fetch_text(fetched: Sequence[tuple[ZooModel, bool]]) -> None:
    """A line a model: fetched now, or there before."""
    for model, is_new in fetched:
        word = "fetched" if is_new else "present"
        stdout().print(f"{word}  {model.name}  {model.size_bytes:,} B, SHA-256 as stated")


def trials_text(trials: Sequence[Trial]) -> None:
    """A row a model, and a line with the sums."""
    rows = table("model", "arena peak", "outcome", "", right=("arena peak",))
    for trial in trials:
        peak_bytes = trial.arena_peak_bytes
        rows.add_row(
            trial.model.name,
            "" if peak_bytes is None else f"{peak_bytes:,}",
            trial.outcome.value,
            printable(trial.note),
        )
    stdout().print(rows)
    good = sum(trial.outcome.is_good for trial in trials)
    stdout().print(f"{good} of {len(trials)} as they should be")
