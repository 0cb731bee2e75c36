"""Can every operator of a model be compiled, and into which calls?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from mcucomp import ir
from mcucomp.errors import UnsupportedModel, printable
from mcucomp.ir import DType, Graph, Model, Operator, Tensor
from mcucomp.ir.dump import tensor_name, within_graph
from mcucomp.ops.base import CUSTOM, KernelCall, Node, OperatorDef, definition_of
from mcucomp.ops.contracts import with_contract

_NOT_SUPPORTED = "this operator is not supported"


@dataclass(frozen=True, slots=True)
class _Problem:
    """An operator that cannot be compiled, and why."""

    node: Node
    what: str

    @property
    def kind(self) -> str:
        """The kind; of a custom operator the name in the file too."""
        operator = self.node.operator
        return printable(" ".join(filter(None, (operator.kind, operator.custom_code))))


def verify(model: Model) -> None:
    """`ir.verify`; where that refuses types or shapes, operators that are unknown are named too.

    Raises what `ir.verify` raises.
    """
    try:
        ir.verify(model)
    except UnsupportedModel as refused:
        unknown = [
            _Problem(node, _NOT_SUPPORTED)
            for node in _nodes(model)
            if definition_of(node.operator) is None
        ]
        if not unknown:
            raise
        raise UnsupportedModel(
            f"{refused.what}; operators are not supported",
            at=refused.at,
            details=[*refused.details, *_lines(unknown)],
            fix=f"{refused.fix}; {_fix(unknown)}",
        ) from None


def lower(model: Model) -> tuple[tuple[KernelCall, ...], ...]:
    """For each graph of the model one kernel call an operator, in the file's order.

    Raises:
        UnsupportedModel: naming every operator that cannot be compiled, and why.
    """
    _require_given_inputs(model)
    _require_handed_over(model)
    problems = [
        _Problem(node, what) for node in _nodes(model) if (what := _violation(node)) is not None
    ]
    if problems:
        raise _unsupported(model.source, problems)
    return tuple(
        tuple(
            with_contract(_known(operator).lower(Node(graph, operator, model, index)))
            for operator in graph.operators
        )
        for index, graph in enumerate(model.graphs)
    )


def _nodes(model: Model) -> Iterator[Node]:
    """Every operator of every graph."""
    for index, graph in enumerate(model.graphs):
        yield from (Node(graph, operator, model, index) for operator in graph.operators)


def _known(operator: Operator) -> OperatorDef:
    definition = definition_of(operator)
    assert definition is not None, operator.kind
    return definition


def _violation(node: Node) -> str | None:
    definition = definition_of(node.operator)
    return _NOT_SUPPORTED if definition is None else definition.violation(node)


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


def _require_handed_over(model: Model) -> None:
    """Inputs and outputs of the graph that runs have a type in C, and elements."""
    tensors = _handed_over(model.graphs[0])
    _refuse(
        model,
        "inputs and outputs without elements cannot be handed over in C",
        [f"{tensor_name(t)} has shape {list(t.shape)}" for t in tensors if t.elements == 0],
        "take them out of the model's inputs and outputs",
    )
    _refuse(
        model,
        "inputs and outputs have types that cannot be handed over in C",
        [f"{tensor_name(t)} is {t.dtype.value}" for t in tensors if not t.dtype.has_c_type],
        "convert the model with inputs and outputs of integers or float32",
    )


def _refuse(model: Model, what: str, details: Sequence[str], fix: str) -> None:
    """Raise where there are details of what is not supported."""
    if details:
        raise UnsupportedModel(what, at=model.source, details=details, fix=fix)


def _handed_over(graph: Graph) -> list[Tensor]:
    return [graph.tensors[i] for i in dict.fromkeys((*graph.inputs, *graph.outputs))]


def _unsupported(source: str, problems: Sequence[_Problem]) -> UnsupportedModel:
    if len(problems) == 1:
        (line,) = _lines(problems)
        where, what = line.removesuffix(problems[0].what).removesuffix(": "), problems[0].what
        return UnsupportedModel(what, at=f"{source}: {where}", fix=_fix(problems))
    return UnsupportedModel(
        f"{len(problems)} operators cannot be compiled",
        at=source,
        details=_lines(problems),
        fix=_fix(problems),
    )


def _lines(problems: Iterable[_Problem]) -> list[str]:
    """A line for each reason in a graph, with all operators that have it."""
    alike: dict[tuple[int, str, str], list[int]] = {}
    for problem in problems:
        key = (problem.node.graph_index, problem.kind, problem.what)
        alike.setdefault(key, []).append(problem.node.operator.index)
    lines = []
    for (graph, kind, what), indices in alike.items():
        within = f"graph {graph}: " if graph else ""
        noun = "operator" if len(indices) == 1 else "operators"
        lines.append(f"{within}{noun} {', '.join(map(str, indices))} {kind}: {what}")
    return lines


def _is_unknown_custom(problem: _Problem) -> bool:
    return problem.node.operator.kind == CUSTOM and problem.what == _NOT_SUPPORTED


def _is_hybrid(problem: _Problem) -> bool:
    """Floats in, with a constant in int8: what converters call dynamic-range quantisation."""
    node = problem.node
    tensors = [node.input(k) for k in range(len(node.operator.inputs)) if node.has_input(k)]
    return any(t.dtype is DType.FLOAT32 and not t.is_constant for t in tensors) and any(
        t.dtype is DType.INT8 and t.is_constant for t in tensors
    )


# Why an operator cannot be compiled, and what to do about it; the first that is true of it.
_FIXES: Sequence[tuple[Callable[[_Problem], bool], str]] = (
    (_is_unknown_custom, "define each custom operator with --custom FILE"),
    (
        _is_hybrid,
        "weights are int8 and activations float32 (dynamic-range quantization): convert with"
        " full-integer quantization, or without any",
    ),
    (
        lambda problem: problem.what.endswith("found float32"),
        "convert with full-integer quantization (inference_input_type=tf.int8)",
    ),
    (lambda problem: True, "'mcucomp ops' lists what can be compiled, with its conditions"),
)


def _fix(problems: Iterable[_Problem]) -> str:
    """What to do about all of them, the rarer reasons first."""
    wanted = [next(fix for applies, fix in _FIXES if applies(problem)) for problem in problems]
    return "; ".join(fix for _, fix in _FIXES if fix in wanted)
