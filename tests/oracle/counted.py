"""How many cases were compared, of which operator in which types?

Every comparison with a reference is counted here, an operator of the model at a
time. A whole run of these tests writes the counts to the file that the
environment variable MCUCOMP_COUNT_CASES names (`make count-cases`), of which
docs/generate.py makes a table.
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

cases: Counter[tuple[str, str]] = Counter()


def count(graph: Graph) -> None:
    """One case of each operator of `graph`."""
    for operator in graph.operators:
        definition = definition_of(operator)
        assert definition is not None
        given = _types(graph, operator.inputs)
        cases[definition.kind, f"{given} -> {_types(graph, operator.outputs)}"] += 1


def _types(graph: Graph, indices: Iterable[int]) -> str:
    """The types of tensors in their order, each once."""
    names = [graph.tensors[i].dtype.value for i in indices if i >= 0]
    return ", ".join(dict.fromkeys(names)) or "none"


def write() -> None:
    """The counts as JSON, where the environment asks for them: kind -> types -> cases."""
    path = os.environ.get(VARIABLE)
    if not path:
        return
    table: dict[str, dict[str, int]] = {}
    for (kind, types), number in sorted(cases.items()):
        table.setdefault(kind, {})[types] = number
    Path(path).write_text(json.dumps(table, indent=1) + "\n", "utf-8")
