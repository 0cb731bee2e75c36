"""The plan of a whole model, and the check of one: every graph of it, from the file alone.

In: a model. Out: a plan for each of its graphs, and the document that
`mcucomp check-plan` verifies. No compiler is needed, and operators that cannot
be compiled are planned too (their scratch counts as none, and the document says
how many there are).

A graph that another calls (a loop's body, a branch) has its arena above what
its caller holds: to the calling operator it is scratch, of as many bytes as the
graph's plan has in use at most.
"""

from __future__ import annotations

from mcucomp.planning.documents import (
    GREATEST_ALIGNMENT_BYTES,
    IO,
    check_document,
    plan_document,
)
from mcucomp.planning.graphs import plan_graphs
from mcucomp.planning.types import GraphPlan, ModelPlan

__all__ = [
    "GREATEST_ALIGNMENT_BYTES",
    "IO",
    "GraphPlan",
    "ModelPlan",
    "check_document",
    "plan_document",
    "plan_graphs",
]
