"""Can every operator of a graph be compiled, and into which calls?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mcucomp import ir
from mcucomp.errors import UnsupportedModel, printable
from mcucomp.ir import DType, Graph, Model, Operator, Tensor
from mcucomp.ir.dump import tensor_name
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
            _Problem(Node(graph, operator), _NOT_SUPPORTED)
            for graph in model.graphs
            for operator in graph.operators
            if definition_of(operator) is None
        ]
        if not unknown:
            raise
        raise UnsupportedModel(
            f"{refused.what}; operators are not supported",
            at=refused.at,
            details=[*refused.details, *_lines(unknown)],
            fix=f"{refused.fix}; {_fix(unknown)}",
        ) from None


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
    _require_handed_over(model.source, graph)
    problems = _violations(graph)
    if problems:
        raise _unsupported(model.source, problems)
    return tuple(
        with_contract(_known(operator).lower(Node(graph, operator))) for operator in graph.operators
    )


def _known(operator: Operator) -> OperatorDef:
    definition = definition_of(operator)
    assert definition is not None, operator.kind
    return definition


def _require_handed_over(source: str, graph: Graph) -> None:
    """Inputs and outputs have a type in C; outputs are not constant, the arena holds none."""
    foreign = [t for t in _handed_over(graph) if not t.dtype.has_c_type]
    if foreign:
        raise UnsupportedModel(
            "inputs and outputs have types that cannot be handed over in C",
            at=source,
            details=[f"{tensor_name(tensor)} is {tensor.dtype.value}" for tensor in foreign],
            fix="convert the model with inputs and outputs of integers or float32",
        )
    constants = [graph.tensors[i] for i in graph.outputs if graph.tensors[i].is_constant]
    if constants:
        raise UnsupportedModel(
            "outputs that are constant cannot be given out",
            at=source,
            details=[tensor_name(tensor) for tensor in constants],
            fix="take these outputs out of the model; their values are in the file",
        )


def _handed_over(graph: Graph) -> list[Tensor]:
    return [graph.tensors[i] for i in dict.fromkeys((*graph.inputs, *graph.outputs))]


def _violations(graph: Graph) -> list[_Problem]:
    problems = []
    for operator in graph.operators:
        node, definition = Node(graph, operator), definition_of(operator)
        what = _NOT_SUPPORTED if definition is None else definition.violation(node)
        if what is not None:
            problems.append(_Problem(node, what))
    return problems


def _unsupported(source: str, problems: Sequence[_Problem]) -> UnsupportedModel:
    if len(problems) == 1:
        (line,) = _lines(problems)
        where, _, what = line.partition(": ")
        return UnsupportedModel(what, at=f"{source}: {where}", fix=_fix(problems))
    return UnsupportedModel(
        f"{len(problems)} operators cannot be compiled",
        at=source,
        details=_lines(problems),
        fix=_fix(problems),
    )


def _lines(problems: Iterable[_Problem]) -> list[str]:
    """A line for each reason, with all operators that have it."""
    alike: dict[tuple[str, str], list[int]] = {}
    for problem in problems:
        alike.setdefault((problem.kind, problem.what), []).append(problem.node.operator.index)
    lines = []
    for (kind, what), indices in alike.items():
        noun = "operator" if len(indices) == 1 else "operators"
        lines.append(f"{noun} {', '.join(map(str, indices))} {kind}: {what}")
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
