"""Can every operator of a graph be compiled, and into which calls?"""

from __future__ import annotations

from mcucomp.errors import UnsupportedModel
from mcucomp.ir import Graph, Model, Operator
from mcucomp.ir.dump import tensor_name
from mcucomp.ops.base import KernelCall, Node, OperatorDef, definition_of
from mcucomp.ops.contracts import with_contract


def lower(model: Model) -> tuple[KernelCall, ...]:
    """One kernel call an operator of the model's only graph, in the file's order.

    Raises:
        UnsupportedModel: naming every operator that cannot be compiled, and why.
    """
    if len(model.graphs) != 1:
        raise UnsupportedModel(
            f"has {len(model.graphs)} subgraphs; only models of one can be compiled",
            at=model.source,
            fix="convert the model without control flow and without resource variables",
        )
    graph = model.graphs[0]
    _require_computed_outputs(model.source, graph)
    problems = _violations(graph)
    if problems:
        raise _unsupported(model.source, problems)
    return tuple(with_contract(_definition(op).lower(Node(graph, op))) for op in graph.operators)


def _definition(operator: Operator) -> OperatorDef:
    """Of an operator that is known to have one."""
    definition = definition_of(operator)
    assert definition is not None
    return definition


def _require_computed_outputs(source: str, graph: Graph) -> None:
    """The arena holds no constants, and so no outputs that are."""
    constants = [graph.tensors[i] for i in graph.outputs if graph.tensors[i].is_constant]
    if constants:
        raise UnsupportedModel(
            "outputs that are constant cannot be given out",
            at=source,
            details=[tensor_name(tensor) for tensor in constants],
            fix="take these outputs out of the model; their values are in the file",
        )


def _violations(graph: Graph) -> list[tuple[str, str]]:
    problems = []
    for operator in graph.operators:
        node = Node(graph, operator)
        definition = definition_of(operator)
        if definition is None:
            custom = f" {operator.custom_code}" if operator.custom_code else ""
            problems.append((node.at + custom, "this operator is not supported"))
            continue
        violation = definition.violation(node)
        if violation is not None:
            problems.append((node.at, violation))
    return problems


def _unsupported(source: str, problems: list[tuple[str, str]]) -> UnsupportedModel:
    floats = any(what.endswith("found float32") for _, what in problems)
    fix = (
        "convert with full-integer quantization (inference_input_type=tf.int8)"
        if floats
        else "'mcucomp ops' lists what can be compiled, with its conditions"
    )
    if len(problems) == 1:
        where, what = problems[0]
        return UnsupportedModel(what, at=f"{source}: {where}", fix=fix)
    return UnsupportedModel(
        f"{len(problems)} operators cannot be compiled",
        at=source,
        details=[f"{where}: {what}" for where, what in problems],
        fix=fix,
    )
