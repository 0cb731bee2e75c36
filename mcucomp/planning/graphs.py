"""How is every graph of a model planned, called graphs first?"""

from __future__ import annotations

from dataclasses import replace

from mcucomp.backends import Selection
from mcucomp.ir import Model
from mcucomp.memory import TensorUse, memory_model, unknown_scratch
from mcucomp.memory.row_graph import STREAMED_INPUT
from mcucomp.planner import PlanOptions, plan
from mcucomp.planning.in_rows import better_in_rows, may_run_in_rows, plan_streaming
from mcucomp.planning.types import Asked, GraphPlan, ModelPlan
from mcucomp.planning.uses import callees_first, choices_of, states_of, uses_in
from mcucomp.rewrite import rewrite
from mcucomp.rules import Rules


def plan_graphs(
    model: Model,
    alignment: int,
    *,
    io: str = "shared",
    options: PlanOptions = PlanOptions(),
    rules: Rules = Rules(),
    selection: Selection | None = None,
    arena_limit_bytes: int | None = None,
) -> ModelPlan:
    """Plan every graph of `model`, which must have been verified; called graphs first.

    With a `selection` kernels are chosen, those that a build with it has; else only
    planning is done, as far as possible with portable ones. With the rule +rows a model
    of one graph without state is planned in rows too, and has the plan with the smaller
    arena; a plan of whole tensors names the rules without +rows. With free-rows the same,
    where kernels are chosen for both speed and size, and rows take hardly more instructions;
    or where only in rows the arena is at most `arena_limit_bytes`.

    Raises:
        UnsupportedModel: kernels are chosen, and the model cannot be built.
        InvalidInput: rows of an input are to be handed in, and nothing reads one in rows.
    """
    model = rewrite(model, rules)
    asked = Asked(alignment, io, rules, selection, arena_limit_bytes)
    if io == STREAMED_INPUT:
        return ModelPlan(model, (plan_streaming(model, asked, options),), io, selection)
    whole = replace(asked, rules=replace(rules, rows=False, free_rows=False))
    choices = choices_of(model, whole)
    planned: dict[int, GraphPlan] = {}
    used: dict[int, TensorUse] = {}
    for index in callees_first(model):
        chosen = choices[index] if choices else None
        uses = uses_in(model, index, used, chosen)
        memory = memory_model(model.graphs[index], uses, alignment, io=io, rules=whole.rules)
        found = plan(memory.step_graph, options)
        steps = zip(memory.operators, found.forms, strict=True)
        formed = tuple(chosen[k].in_form(form) for k, form in steps) if chosen else ()
        planned[index] = GraphPlan(memory, found, unknown_scratch(uses), formed)
        used[index] = TensorUse((), (), found.high_water_bytes, updates=states_of(uses))
    if (rules.rows or rules.free_rows) and may_run_in_rows(model, used[0]):
        every = choices[0] if choices else ()
        planned[0] = better_in_rows(model, asked, options, planned[0], every)
    graphs = tuple(planned[k] for k in range(len(model.graphs)))
    return ModelPlan(model, graphs, io, selection)
