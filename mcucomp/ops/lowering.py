"""Can every operator of a model be compiled, and into which calls?"""

from __future__ import annotations

from mcucomp.errors import UnsupportedModel
from mcucomp.ir import Model, Operator
from mcucomp.ir.dump import tensor_name, within_graph
from mcucomp.ops.base import KernelCall, Node, OperatorDef, definition_of
from mcucomp.ops.contracts import with_contract


def lower(model: Model) -> tuple[tuple[KernelCall, ...], ...]:
    """For each graph of the model one kernel call an operator, in the file's order.

    Raises:
        UnsupportedModel: naming every operator that cannot be compiled, and why.
    """
    _require_given_inputs(model)
    problems = [
        problem for index in range(len(model.graphs)) for problem in _violations(model, index)
    ]
    if problems:
        raise _unsupported(model.source, problems)
    return tuple(
        tuple(
            with_contract(_definition(op).lower(Node(graph, op, model, index)))
            for op in graph.operators
        )
        for index, graph in enumerate(model.graphs)
    )


def _definition(operator: Operator) -> OperatorDef:
    """Of an operator that is known to have one."""
    definition = definition_of(operator)
    assert definition is not None
    return definition


def _require_given_inputs(model: Model) -> None:
    """Whoever runs a graph writes its inputs, which neither flash nor state allows."""
    for index, graph in enumerate(model.graphs):
        fixed = [
            tensor_name(tensor)
            for tensor in (graph.tensors[i] for i in dict.fromkeys(graph.inputs))
            if tensor.is_constant or tensor.is_variable
        ]
        if fixed:
            raise UnsupportedModel(
                "inputs that are constant or variable cannot be given",
                at=within_graph(model, index),
                details=fixed,
                fix="take these inputs out of the model; their values are in the file",
            )


def _violations(model: Model, index: int) -> list[tuple[str, str]]:
    graph = model.graphs[index]
    within = f"graph {index}: " if index else ""
    problems = []
    for operator in graph.operators:
        node = Node(graph, operator, model, index)
        definition = definition_of(operator)
        if definition is None:
            custom = f" {operator.custom_code}" if operator.custom_code else ""
            problems.append((within + node.at + custom, "this operator is not supported"))
            continue
        violation = definition.violation(node)
        if violation is not None:
            problems.append((within + node.at, violation))
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
