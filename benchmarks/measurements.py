"""What do benchmarks have in common: which models are measured, and where do rows go?"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

CHECKOUT = Path(__file__).resolve().parents[1]
DOCS = CHECKOUT / "docs"


def models_folder() -> Path:
    """MCUCOMP_MODELS, or the folder ../shared/models beside the checkout."""
    named = os.environ.get("MCUCOMP_MODELS")
    return Path(named) if named else CHECKOUT.parent / "shared" / "models"


rows_option = click.option(
    "--rows",
    "row_files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Take the rows that --json wrote.",
)


def kept_rows(files: Sequence[Path]) -> list[dict[str, Any]]:
    """The rows of all files that --json wrote."""
    return [row for file in files for row in json.loads(file.read_text("utf-8"))["rows"]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a benchmark's table stands in a page of docs/: between two lines of their own."""

    page: Path
    begin: str
    end: str

    @property
    def text(self) -> str:
        """What stands there."""
        return self._parts()[1]

    def put(self, text: str) -> None:
        """Let `text`, without its last newline, stand there."""
        before, _, after = self._parts()
        self.page.write_text(f"{before}{self.begin}\n{text}\n{self.end}{after}", "utf-8")

    def _parts(self) -> tuple[str, str, str]:
        before, _, rest = self.page.read_text("utf-8").partition(self.begin)
        text, end, after = rest.partition(self.end)
        assert end, f"{self.page} has lost its marks"
        return before, text, after
