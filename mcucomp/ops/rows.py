"""How do operators that work along the last dimension see a tensor?"""

from __future__ import annotations

from mcucomp.ops.base import Constraint, Node, ParamValue


def rows_of(node: Node) -> dict[str, ParamValue]:
    """Rows, and values in each."""
    source = node.input(0)
    depth = source.shape[-1]
    return {"rows": source.elements // depth, "depth": depth}


def has_depth(most: int) -> Constraint:
    def found(node: Node) -> str | None:
        depth = node.input(0).shape[-1]
        return None if depth <= most else f"{depth:,}"

    return Constraint(f"the last dimension is at most {most:,}", found)
