"""The generated sources of one model."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import jinja2

import mcucomp
from mcucomp import backends
from mcucomp.codegen.constants import ConstantPool, FlashArray, float_literal
from mcucomp.codegen.graphs import GraphText, graph_text
from mcucomp.codegen.names import comment
from mcucomp.codegen.places import Places, PlannedGraph, reached_graphs, slots_of
from mcucomp.codegen.state import Fill, lay_out
from mcucomp.errors import short_name
from mcucomp.ir import Model, Tensor

# Offsets within the arena are multiples of the plan's alignment; the arena itself starts
# at a multiple of this, which is enough for every element type and for 128-bit loads.
ARENA_ALIGNMENT = 16
QUANTIZE = "mcuc_quantize_f32_s8"


@dataclass(frozen=True, slots=True)
class ApiTensor:
    """An input or output: how the API names it, and where it is.

    `pointer` is a C expression in terms of `arena`; of `variables` where it
    `is_variable`, and of neither where it `is_constant`. `is_given_floats`: `run` takes
    floats for it and quantises them on their way into the arena.
    """

    name: str
    comment: str
    c_type: str
    elements: int
    pointer: str
    size_bytes: int
    shape: str
    scale: str | None
    zero_point: int | None
    is_constant: bool
    is_variable: bool
    is_given_floats: bool = False

    @property
    def given_c_type(self) -> str:
        """The type of its elements where `run` takes it."""
        return "float" if self.is_given_floats else self.c_type


@dataclass(frozen=True, slots=True)
class Sources:
    """Generated C. `files` maps a name to its text; `kernels` are those that are called.

    `own_kernels` are those of `files` that hold kernels of the user's operators.
    `weights_bytes` are the model's own, `constants_bytes` all that goes to flash beside code,
    `state_bytes` what an instance keeps from one inference to the next.
    """

    files: dict[str, str]
    kernels: tuple[str, ...]
    own_kernels: tuple[str, ...]
    weights_bytes: int
    constants_bytes: int
    state_bytes: int
    inputs: tuple[ApiTensor, ...]
    outputs: tuple[ApiTensor, ...]

    @property
    def build_id(self) -> int:
        """A CRC-32 of all the text: the firmware repeats it, so that a stale image is noticed."""
        return zlib.crc32("".join(self.files.values()).encode("utf-8"))


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a table of tensors: where one is. `flash` is the symbol of a constant's bytes."""

    step: int
    offset: int
    size_bytes: int
    is_state: bool = False
    flash: str = "NULL"


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
    quantized = [a != b for a, b in zip(given or graph.inputs, graph.inputs, strict=True)]
    inputs = tuple(replace(io, is_given_floats=q) for io, q in zip(inputs, quantized, strict=True))
    calls = [call for g in reached for call in graphs[g].calls]
    kernels = sorted(
        {call.kernel for call in calls if call.kernel and not call.files}
        | ({QUANTIZE} if any(quantized) else set())
    )
    own = {file: text for call in calls for file, text in sorted(call.files.items())}
    fills = [(fill, _fill_values(places, fill)) for fill in (*state.resets, *state.starts)]
    context = {
        "stem": stem,
        "version": mcucomp.__version__,
        "source": comment(model.source),
        "sha256": model.sha256,
        "name": name,
        "prefix": f"mcuc_{name}",
        "macro": f"MCUC_{name.upper()}",
        "plan": plan,
        "plans": {g: graphs[g].plan for g in reached},
        "arena_alignment": ARENA_ALIGNMENT,
        # An arena of no bytes would be no C object.
        "arena_bytes": max(plan.arena_bytes, plan.alignment),
        "state": state,
        "resets": fills[: len(state.resets)],
        "starts": fills[len(state.resets) :],
        "inputs": inputs,
        "outputs": outputs,
        "main": texts[0],
        "called_graphs": [texts[g] for g in reached if g != 0],
        "input_rows": [_row(places, -1, t) for t in graph.inputs],
        "output_rows": [_row(places, -1, t) for t in graph.outputs],
        "written_rows": _written(places),
        "arrays": pool.arrays,
        "names_of_math": _has_names_of_math(texts.values(), pool.arrays),
        "headers": [
            *(backends.header(kernel) for kernel in kernels),
            *(file for file in own if file.endswith(".h")),
        ],
    }
    return Sources(
        files={
            f"{stem}{file}": _environment().get_template(f"{file}.j2").render(context)
            for file in ("model.h", "model.c", "weights.h", "weights.c")
        }
        | own,
        kernels=tuple(kernels),
        own_kernels=tuple(file for file in own if file.endswith(".c")),
        weights_bytes=weights_bytes(pool.arrays),
        constants_bytes=sum(array.size_bytes for array in pool.arrays),
        state_bytes=state.size_bytes,
        inputs=inputs,
        outputs=outputs,
    )


def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("mcucomp.codegen"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # this is C; what is put in went through names.py and constants.py
    )


def _has_names_of_math(graphs: Iterable[GraphText], arrays: Sequence[FlashArray]) -> bool:
    """Whether a value is infinite or no number, which only math.h has names for."""
    texts = [text for graph in graphs for step in graph.steps for _, text in step.params]
    texts += [row for array in arrays if array.c_type == "float" for row in array.rows]
    return any("INFINITY" in text or "NAN" in text for text in texts)


def weights_bytes(arrays: Sequence[FlashArray]) -> int:
    """Bytes of the model's own weights, without quantisation parameters."""
    return sum(array.size_bytes for array in arrays if array.is_weight)


def _fill_values(places: Places, fill: Fill) -> str:
    """The symbol of an array that state starts as; empty where it is filled with a byte."""
    return "" if fill.values is None else places.pool.add(f"state{fill.offset}", fill.values)


def _io(places: Places, indices: Sequence[int], word: str) -> tuple[ApiTensor, ...]:
    """Inputs or outputs of the graph that runs."""
    names = [word if len(indices) == 1 else f"{word}_{k}" for k in range(len(indices))]
    tensors = places.model.graphs[0].tensors
    return tuple(_api(places, tensors[t], name) for t, name in zip(indices, names, strict=True))


def _api(places: Places, tensor: Tensor, name: str) -> ApiTensor:
    quantization = tensor.quantization
    return ApiTensor(
        name=name,
        comment=comment(short_name(tensor.name)),
        c_type=tensor.dtype.c_type,
        elements=tensor.elements,
        pointer=places.pointer(0, tensor.index, f"{name}_values"),
        size_bytes=tensor.size_bytes,
        shape=" x ".join(map(str, tensor.shape)) or "scalar",
        scale=float_literal(quantization.scales[0]) if quantization else None,
        zero_point=quantization.zero_points[0] if quantization else None,
        is_constant=tensor.is_constant,
        is_variable=tensor.is_variable,
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
