"""What do the weights of a model prove about its values, and what is that worth?

In: a verified model. Out: an `Explanation`: for each operator which channels
hold one value whatever the input, and what is dropped for it; multiplications,
weights and arena with and without the rule `values`, all other rules in force
both times.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mcucomp.ir import Graph, Model, Operator
from mcucomp.ops import ConstantArray, Node, registered
from mcucomp.planning import plan_graphs
from mcucomp.rewrite import rewrite
from mcucomp.rules import ALL, Rules
from mcucomp.values import Values, analyse, is_regular
from mcucomp.values.layers import KINDS as LAYERS

WITHOUT = replace(ALL, values=False)


@dataclass(frozen=True, slots=True)
class Work:
    """Multiply-accumulates and bytes of weights, of layers that can be compiled."""

    macs: int = 0
    weights_bytes: int = 0

    def __add__(self, other: Work) -> Work:
        return Work(self.macs + other.macs, self.weights_bytes + other.weights_bytes)


@dataclass(frozen=True, slots=True)
class Step:
    """One operator of graph `graph`: its first output's channels, and what becomes of them.

    `constant` never change; `left` is how many there are afterwards, None where
    the operator is gone. `loses_clamp`: a fused activation that never clamps goes.
    """

    graph: int
    operator: Operator
    channels: int
    constant: int
    left: int | None
    loses_clamp: bool
    before: Work
    after: Work

    @property
    def is_changed(self) -> bool:
        return bool(self.constant or self.loses_clamp) or self.left != self.channels


@dataclass(frozen=True, slots=True)
class Explanation:
    """What was found in `model`, which is as other rules leave it, by graph and operator.

    Arenas are those of plans under all rules without `values`, and with it.
    """

    model: Model
    values: tuple[Values, ...]
    steps: tuple[Step, ...]
    before: Work
    after: Work
    arena_bytes: tuple[int, int]


def explain(model: Model, alignment: int) -> Explanation:
    """Analyse `model` and say what the rule `values` does to it."""
    found = without_arena(model)
    arenas = [
        plan_graphs(model, alignment, rules=rules).main.plan.arena_bytes for rules in (WITHOUT, ALL)
    ]
    return replace(found, arena_bytes=(arenas[0], arenas[1]))


def without_arena(model: Model) -> Explanation:
    """The same without plans, whose arenas are given as 0."""
    before = rewrite(model, Rules(rewrites=True))
    after = rewrite(model, Rules(rewrites=True, values=True))
    values = tuple(analyse(graph) for graph in before.graphs)
    steps = tuple(
        step
        for index, known in enumerate(values)
        for step in _steps(index, known, after.graphs[index])
    )
    return Explanation(
        before,
        values,
        steps,
        sum((step.before for step in steps), Work()),
        sum((step.after for step in steps), Work()),
        (0, 0),
    )


def _steps(index: int, values: Values, after: Graph) -> list[Step]:
    left = {operator.index: operator for operator in after.operators}
    steps = []
    for operator in values.graph.operators:
        if not operator.outputs:
            continue
        kept, result = left.get(operator.index), operator.outputs[0]
        shape = values.graph.tensors[result].shape
        name = "fused_activation_function"
        steps.append(
            Step(
                graph=index,
                operator=operator,
                channels=shape[-1] if shape else 1,
                constant=int(np.count_nonzero(values.constant_channels(result))),
                left=None if kept is None else (after.tensors[kept.outputs[0]].shape or (1,))[-1],
                loses_clamp=kept is not None
                and kept.options.get(name) != operator.options.get(name),
                before=_work_of(values.graph, operator),
                after=Work() if kept is None else _work_of(after, kept),
            )
        )
    return steps


def _work_of(graph: Graph, operator: Operator) -> Work:
    """What a layer with weights takes; nothing is counted of those that cannot be compiled."""
    node = Node(graph, operator)
    if operator.kind not in (*LAYERS, "BATCH_MATMUL") or not is_regular(node):
        return Work()
    call = registered()[operator.kind].lower(node)
    weights = [
        value.values.nbytes
        for value in call.params.values()
        if isinstance(value, ConstantArray) and value.is_weight
    ]
    return Work(call.macs, sum(weights))
