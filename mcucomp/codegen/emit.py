"""The generated sources of a model whose tensors are planned as wholes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mcucomp.codegen.constants import ConstantPool
from mcucomp.codegen.graphs import graph_text
from mcucomp.codegen.places import Places, PlannedGraph, reached_graphs, slots_of
from mcucomp.codegen.sources import ApiTensor, Sources, Text, api_names, api_tensor, given_floats
from mcucomp.codegen.state import Fill, lay_out
from mcucomp.ir import Model

_TEMPLATES = {file: file for file in ("model.h", "model.c", "weights.h", "weights.c")}


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a table of tensors: where one is. `flash` is the symbol of a constant's bytes."""

    step: int
    offset: int
    size_bytes: int
    is_state: bool = False
    flash: str = ""


def emit(
    name: str,
    model: Model,
    graphs: Sequence[PlannedGraph],
    stem: str = "",
    given: Sequence[int] = (),
) -> Sources:
    """The C of `model`, whose `graphs` are planned; every global symbol starts with `mcuc_<name>_`.

    `stem` begins the names of the files, for those that go where other models' are.
    `given` are the float tensors that `run` is given, where they are not the graph's inputs
    but quantised to them.
    """
    reached = reached_graphs(graphs)
    state = lay_out(slots_of(model, graphs, reached))
    pool = ConstantPool(f"mcuc_{name}_")
    places = Places(model, graphs, pool, state)
    # The graph that runs first, so that names of constants do not depend on the others.
    texts = {g: graph_text(places, g) for g in reversed(reached)}
    graph, plan = model.graphs[0], graphs[0].plan
    inputs, outputs = _io(places, graph.inputs, "input"), _io(places, graph.outputs, "output")
    calls = [call for g in reached for call in graphs[g].calls]
    fills = [(fill, _fill_values(places, fill)) for fill in (*state.resets, *state.starts)]
    members = {
        "plan": plan,
        "plans": {g: graphs[g].plan for g in reached},
        "resets": fills[: len(state.resets)],
        "starts": fills[len(state.resets) :],
        "main": texts[0],
        "called_graphs": [texts[g] for g in reached if g != 0],
        "input_rows": [_row(places, -1, t) for t in graph.inputs],
        "output_rows": [_row(places, -1, t) for t in graph.outputs],
        "written_rows": _written(places),
    }
    text = Text(
        name=name,
        stem=stem,
        model=model,
        pool=pool,
        kernels=frozenset(call.kernel for call in calls if call.kernel and not call.files),
        own={file: text for call in calls for file, text in sorted(call.files.items())},
        params=[value for g in texts.values() for step in g.steps for _, value in step.params],
        inputs=given_floats(inputs, graph, given),
        outputs=outputs,
        state=state,
        # An arena of no bytes would be no C object.
        arena_bytes=max(plan.arena_bytes, plan.alignment),
    )
    return text.sources(_TEMPLATES, members)


def _fill_values(places: Places, fill: Fill) -> str:
    """The symbol of an array that state starts as; empty where it is filled with a byte."""
    return "" if fill.values is None else places.pool.add(f"state{fill.offset}", fill.values)


def _io(places: Places, indices: Sequence[int], word: str) -> tuple[ApiTensor, ...]:
    """Inputs or outputs of the graph that runs."""
    tensors = places.model.graphs[0].tensors
    return tuple(
        api_tensor(tensors[t], name, places.pointer(0, t, f"{name}_values"))
        for t, name in zip(indices, api_names(indices, word), strict=True)
    )


def _row(places: Places, step: int, index: int) -> _Row:
    """Of a tensor of the graph that runs."""
    tensor = places.model.graphs[0].tensors[index]
    if tensor.is_constant:
        flash = places.pointer(0, index, f"tensor{index}")
        return _Row(step, 0, tensor.size_bytes, flash=flash)
    if tensor.is_variable:
        return _Row(step, places.state_offset(0, index), tensor.size_bytes, is_state=True)
    return _Row(step, places.offset(0, index), tensor.size_bytes)


def _written(places: Places) -> list[_Row]:
    """Each tensor that the steps of the graph that runs write, in their order."""
    main = places.graphs[0]
    return [
        _row(places, position, t)
        for position, step in enumerate(main.plan.order)
        for t in main.calls[step].writes
    ]
