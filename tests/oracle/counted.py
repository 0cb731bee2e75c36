"""How many cases were compared, of which operator in which types?

Every comparison with a reference is counted here, an operator of the model at a
time, for the test that makes it. A run of whole test files puts their counts into
the file that the environment variable MCUCOMP_COUNT_CASES names (`make
count-cases`), of which docs/generate.py makes a table. What it has of other files
stays: one that was changed can be counted alone, and every file is counted once.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from mcucomp.ir import Graph
from mcucomp.ops import definition_of

VARIABLE = "MCUCOMP_COUNT_CASES"
FOLDER = Path(__file__).parent

# (kind, types, cases), as they travel from a process that runs tests to the one that reports.
Row = tuple[str, str, int]
# Test file -> kind -> types -> cases.
Table = dict[str, dict[str, dict[str, int]]]

_of_this_test: Counter[tuple[str, str]] = Counter()


def count(graph: Graph) -> None:
    """One case of each operator of `graph`."""
    for operator in graph.operators:
        definition = definition_of(operator)
        assert definition is not None
        given = _types(graph, operator.inputs)
        _of_this_test[definition.kind, f"{given} -> {_types(graph, operator.outputs)}"] += 1


def taken() -> list[Row]:
    """What was counted since this was last asked."""
    rows = [(kind, types, cases) for (kind, types), cases in sorted(_of_this_test.items())]
    _of_this_test.clear()
    return rows


class Tally:
    """The counts of a run, by test file; those with a test that was skipped are not whole."""

    def __init__(self) -> None:
        self._cases: dict[str, Counter[tuple[str, str]]] = {}
        self._partial: set[str] = set()

    def add(self, file: str, rows: Iterable[Row]) -> None:
        cases = self._cases.setdefault(file, Counter())
        for kind, types, number in rows:
            cases[kind, types] += number

    def skip(self, file: str) -> None:
        self._partial.add(file)

    def table(self, before: Table) -> Table:
        """`before`, with the counts of the files that ran whole; without files that are gone."""
        found = {file: rows for file, rows in before.items() if (FOLDER / file).is_file()}
        for file in self._cases.keys() - self._partial:
            kinds: dict[str, dict[str, int]] = {}
            for (kind, types), number in sorted(self._cases[file].items()):
                kinds.setdefault(kind, {})[types] = number
            found[file] = kinds
        return {file: rows for file, rows in sorted(found.items()) if rows}


def write(tally: Tally) -> None:
    """The counts as JSON, where the environment asks for them."""
    target = os.environ.get(VARIABLE)
    if not target:
        return
    path = Path(target)
    before: Table = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    path.write_text(json.dumps(tally.table(before), indent=1) + "\n", "utf-8")


def _types(graph: Graph, indices: Iterable[int]) -> str:
    """The types of tensors in their order, each once."""
    names = [graph.tensors[i].dtype.value for i in indices if i >= 0]
    return ", ".join(dict.fromkeys(names)) or "none"
