"""What does TFLM place in the head of its arena, and when is it in use?

In: a model, the order in which each of its graphs runs its operators, and the
scratch that these request. Out: a `Block` for each thing that TFLM's planner
places, in the order in which it hears of them: all tensors of all graphs, then
all scratch.

Lifetimes are TFLM's: one counter runs through all graphs in the order in which
they are called; what a called graph needs lies beside everything that is in use
across the call, and an operator's inputs and outputs are always in use together.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mcucomp.errors import UnsupportedModel, printable
from mcucomp.ir import Graph, Model, Operator, Tensor
from mcucomp.memory import Lifetime, round_up

ALIGNMENT_BYTES = 16

NEVER = Lifetime(-1, 0)  # of a tensor that no operator touches

# The options that name the graphs an operator calls, in the order of the calls.
_CALLS: Mapping[str, tuple[str, ...]] = {
    "CALL_ONCE": ("init_subgraph_index",),
    "IF": ("then_subgraph_index", "else_subgraph_index"),
    "WHILE": ("cond_subgraph_index", "body_subgraph_index"),
}

# Kinds that set the address of their output themselves, so that it is not planned.
_PLACES_ITS_OUTPUT = frozenset({"VAR_HANDLE"})

# Graphs that call graphs that call graphs can make this many steps of a small file.
_MOST_STEPS = 200_000

Orders = Sequence[Sequence[int]]
Requests = Mapping[tuple[int, int], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Block:
    """Something that TFLM places: a tensor, or scratch of an operator.

    `size_bytes` is rounded up to 16, as TFLM does before it plans. `tensor` is
    None for scratch; `operator` is None for a tensor.
    """

    graph: int
    tensor: int | None
    operator: int | None
    size_bytes: int
    lifetime: Lifetime


def file_orders(model: Model) -> tuple[tuple[int, ...], ...]:
    """The order of each graph's operators in the file, which TFLM runs."""
    return tuple(tuple(range(len(graph.operators))) for graph in model.graphs)


def called_graphs(operator: Operator) -> tuple[int, ...]:
    """The graphs that `operator` runs, in order."""
    names = _CALLS.get(operator.kind, ())
    return tuple(_index(operator.options[name]) for name in names)


def _index(value: object) -> int:
    assert isinstance(value, int)
    return value


def is_planned(tensor: Tensor, elsewhere: frozenset[int], prescribed: bool = False) -> bool:
    """Whether `tensor` goes to the head: no constant, no variable, and not without bytes."""
    if tensor.is_constant or tensor.index in elsewhere or (tensor.is_variable and not prescribed):
        return False
    return tensor_bytes(tensor) > 0


def placed_elsewhere(graph: Graph) -> frozenset[int]:
    """Tensors to which an operator gives an address when it is prepared."""
    return frozenset(
        index
        for operator in graph.operators
        if operator.kind in _PLACES_ITS_OUTPUT
        for index in operator.outputs
    )


def tensor_bytes(tensor: Tensor) -> int:
    """Bytes in the arena, unrounded; none for a type without a size, which TFLM refuses."""
    return 0 if tensor.dtype.element_bytes is None else max(0, tensor.size_bytes)


def blocks(
    model: Model,
    orders: Orders,
    requests: Requests,
    prescribed: Container[tuple[int, int]] = (),
) -> tuple[Block, ...]:
    """What TFLM places when graph g runs its operators in the order `orders[g]`.

    `requests` holds the bytes of each scratch request by (graph, operator).
    A variable is kept apart from the head, but for one whose offset the file
    prescribes: `prescribed` holds the (graph, tensor) of those.

    Raises:
        UnsupportedModel: the graphs call each other so often that nobody would wait.
    """
    clock = _Clock(model, orders)
    clock.visit(0)
    planned = []
    for g, graph in enumerate(model.graphs):
        elsewhere = placed_elsewhere(graph)
        for tensor in graph.tensors:
            if is_planned(tensor, elsewhere, (g, tensor.index) in prescribed):
                size_bytes = round_up(tensor_bytes(tensor), ALIGNMENT_BYTES)
                life = clock.tensors.get((g, tensor.index), NEVER)
                planned.append(Block(g, tensor.index, None, size_bytes, life))
    for g, order in enumerate(orders):
        for operator in order:
            for request_bytes in requests.get((g, operator), ()):
                size_bytes = round_up(request_bytes, ALIGNMENT_BYTES)
                life = clock.operators.get((g, operator), NEVER)
                planned.append(Block(g, None, operator, size_bytes, life))
    return tuple(planned)


def moments(model: Model, orders: Orders) -> dict[int, tuple[int, int]]:
    """Which (graph, operator) runs at each count of TFLM's clock; none at 0, before the first."""
    clock = _Clock(model, orders)
    clock.visit(0)
    return clock.moments


class _Clock:
    """Counts the steps of all graphs, and notes when tensors and operators are in use."""

    def __init__(self, model: Model, orders: Orders) -> None:
        self._model = model
        self._orders = orders
        self._now = 0
        self.tensors: dict[tuple[int, int], Lifetime] = {}
        self.operators: dict[tuple[int, int], Lifetime] = {}
        self.moments: dict[int, tuple[int, int]] = {}

    def visit(self, g: int) -> None:
        """Run graph `g`. Graphs do not call themselves; `ir.verify` has seen to it."""
        graph = self._model.graphs[g]
        self._touch(g, graph.inputs)
        for index in self._orders[g]:
            operator = graph.operators[index]
            self._step()
            began = self._now
            self.moments[began] = (g, index)
            self._touch(g, operator.outputs, only_begin=True)
            for called in called_graphs(operator):
                self._step()
                self.visit(called)
            self._touch(g, (*(i for i in operator.inputs if i >= 0), *operator.outputs))
            first = self.operators.get((g, index), Lifetime(began, began)).start
            self.operators[g, index] = Lifetime(first, self._now + 1)
        self._touch(g, graph.outputs)

    def _touch(self, g: int, tensors: Sequence[int], only_begin: bool = False) -> None:
        """What an input of an operator reads without being written lives from that moment."""
        for index in tensors:
            known = self.tensors.get((g, index))
            start = self._now if known is None else known.start
            end = self._now + 1
            if only_begin and known is not None:
                end = known.end
            self.tensors[g, index] = Lifetime(start, end)

    def _step(self) -> None:
        self._now += 1
        if self._now > _MOST_STEPS:
            raise UnsupportedModel(
                f"its graphs call each other more than {_MOST_STEPS:,} times",
                at=printable(self._model.source),
                fix="call each graph from fewer places",
            )


def overlapping(a: Lifetime, b: Lifetime) -> bool:
    """Whether two lifetimes share a moment."""
    return a.start < b.end and b.start < a.end


def names_of(model: Model, block: Block) -> str:
    """What `block` is, for reports."""
    graph = model.graphs[block.graph]
    if block.tensor is not None:
        return graph.tensors[block.tensor].name
    assert block.operator is not None
    operator = graph.operators[block.operator]
    return f"scratch of operator {operator.index} {operator.kind}"


def all_operators(model: Model) -> Iterator[tuple[int, Graph, Operator]]:
    """Every operator with its graph and the graph's number."""
    for g, graph in enumerate(model.graphs):
        for operator in graph.operators:
            yield g, graph, operator
