"""What is known of each public model? The rows of `models.toml`."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcucomp.errors import InvalidInput, nearest_first

_TABLE = Path(__file__).parent / "models.toml"


@dataclass(frozen=True, slots=True)
class ZooModel:
    """A public model: where it is from, its file, and what it exercises.

    `path` is the file's in the repository (on GitHub) at `commit`; where that is
    an archive, `member` is the model's name in it. `sha256` and `size_bytes`
    are the model's own. `in_tflm` says whether TensorFlow Lite Micro runs it.
    """

    name: str
    repository: str
    commit: str
    path: str
    member: str | None
    sha256: str
    size_bytes: int
    licence: str
    in_tflm: bool
    exercises: str

    def as_json(self) -> dict[str, object]:
        """A row of `mcucomp zoo --json`."""
        return {
            "name": self.name,
            "repository": self.repository,
            "commit": self.commit,
            "path": self.path,
            "member": self.member,
            "sha256": self.sha256,
            "bytes": self.size_bytes,
            "licence": self.licence,
            "in_tflm": self.in_tflm,
            "exercises": self.exercises,
        }


@functools.cache
def known() -> Mapping[str, ZooModel]:
    """All models by name, in the table's order."""
    rows = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return {
        name: ZooModel(
            name=name,
            member=row.pop("member", None),
            size_bytes=row.pop("bytes"),
            **row,
        )
        for name, row in rows.items()
    }


def named(names: Sequence[str]) -> list[ZooModel]:
    """The models of these names, or all where none is given.

    Raises:
        InvalidInput: a name is not known.
    """
    table = known()
    for name in names:
        if name not in table:
            nearest = ", ".join(nearest_first(name, table)[:5])
            raise InvalidInput(
                f"model {name} is not known",
                at="mcucomp zoo",
                fix=f"the nearest names are {nearest}; 'mcucomp zoo' lists all",
            )
    return [table[name] for name in dict.fromkeys(names)] or list(table.values())
