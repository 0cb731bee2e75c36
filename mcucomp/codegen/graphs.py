"""What does each step of a graph become in C?

In: the places of a model's tensors, and one of its graphs. Out: a `GraphText`:
the texts of its steps, which the templates put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mcucomp.codegen.constants import float_literal, literal
from mcucomp.codegen.control import ControlStep, control_step
from mcucomp.codegen.names import comment
from mcucomp.codegen.places import Places
from mcucomp.errors import short_name
from mcucomp.memory import live_bytes
from mcucomp.ops import ConstantArray, KernelCall, ParamValue


@dataclass(frozen=True, slots=True)
class Step:
    """A row of the plan in the header comment, and what carries it out: a call or `control`."""

    position: int
    kind: str
    kernel: str
    params_name: str
    params: tuple[tuple[str, str], ...]
    arguments: tuple[str, ...]
    control: ControlStep | None
    accesses: tuple[str, ...]
    live_bytes: int


@dataclass(frozen=True, slots=True)
class GraphText:
    """A graph's function: its steps, and which of its parameters they use."""

    index: int
    name: str
    steps: tuple[Step, ...]
    uses_arena: bool
    uses_variables: bool


def graph_text(places: Places, g: int) -> GraphText:
    """The function of graph `g`."""
    planned = places.graphs[g]
    live = live_bytes(planned.memory.step_graph, planned.plan.order)
    steps = tuple(
        _step(places, g, position, step, live[position])
        for position, step in enumerate(planned.plan.order)
    )
    texts = [
        text
        for step in steps
        for text in (step.arguments if step.control is None else step.control.texts())
    ]
    return GraphText(
        index=g,
        name=comment(short_name(places.model.graphs[g].name)),
        steps=steps,
        uses_arena=any("arena" in text for text in texts),
        uses_variables=any("variables" in text for text in texts),
    )


def _step(places: Places, g: int, position: int, step: int, live_bytes: int) -> Step:
    planned, graph = places.graphs[g], places.model.graphs[g]
    call = planned.calls[step]
    name = f"step{position}" if g == 0 else f"graph{g}_step{position}"
    scratch_offset = planned.plan.scratch_offsets[step]
    is_control = call.control is not None
    return Step(
        position=position,
        kind=graph.operators[planned.memory.operators[step]].kind,
        kernel=call.kernel,
        params_name=f"{name}_params",
        params=tuple(
            (key, _param(places, f"{name}_{key}", value)) for key, value in call.params.items()
        ),
        arguments=() if is_control else _arguments(places, g, call, name, scratch_offset),
        control=control_step(places, g, call, name, scratch_offset or 0) if is_control else None,
        accesses=(
            *(f"reads  {places.named(g, t)}" for t in call.reads),
            *(f"writes {places.named(g, t)}" for t in call.writes),
            *(f"keeps  {s.size_bytes} bytes@state+{places.slot_offset(s)}" for s in call.updates),
        ),
        live_bytes=live_bytes,
    )


def _arguments(
    places: Places, g: int, call: KernelCall, name: str, scratch_offset: int | None
) -> tuple[str, ...]:
    """What the kernel is given behind its parameters."""
    reads = [_read(places, g, t, f"{name}_input{call.reads.index(t)}") for t in call.reads]
    writes = [f"(void *)({places.pointer(g, t, name)})" for t in call.writes]
    scratch = [] if scratch_offset is None else [f"arena + {scratch_offset}"]
    return (
        *([_pointers("const void *const", reads)] if call.reads_as_array else reads),
        *([_pointers("void *const", writes)] if call.writes_as_array else writes),
        *(f"(void *)(variables + {places.slot_offset(slot)})" for slot in call.updates),
        *scratch,
    )


def _read(places: Places, g: int, tensor: int, name: str) -> str:
    pointer = places.pointer(g, tensor, name)
    is_symbol = places.model.graphs[g].tensors[tensor].is_constant
    return f"(const void *){pointer}" if is_symbol else f"(const void *)({pointer})"


def _pointers(c_type: str, arguments: Sequence[str]) -> str:
    """An array of pointers as one argument."""
    return f"({c_type}[]){{{', '.join(arguments)}}}"


def _param(places: Places, name: str, value: ParamValue) -> str:
    if isinstance(value, ConstantArray):
        return places.pool.add(name, value)
    if isinstance(value, tuple):
        return "{" + ", ".join(literal(v, "int32_t") for v in value) + "}"
    if value is None:
        return "NULL"
    if isinstance(value, float):
        return float_literal(value)
    return literal(int(value), "int32_t")
