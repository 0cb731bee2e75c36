"""The generated sources of one model."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import jinja2

import mcucomp
from mcucomp import backends
from mcucomp.codegen.constants import (
    ConstantPool,
    FlashArray,
    float_literal,
    tensor_constant,
)
from mcucomp.codegen.names import comment
from mcucomp.codegen.texts import param_text, pointers
from mcucomp.errors import short_name
from mcucomp.ir import Graph, Model, Tensor
from mcucomp.memory import MemoryModel, live_bytes
from mcucomp.ops import KernelCall
from mcucomp.planner import Plan

# Offsets within the arena are multiples of the plan's alignment; the arena itself starts
# at a multiple of this, which is enough for every element type and for 128-bit loads.
ARENA_ALIGNMENT = 16
QUANTIZE = "mcuc_quantize_f32_s8"


@dataclass(frozen=True, slots=True)
class ApiTensor:
    """An input or output: how the API names it, and where it is in the arena.

    `is_given_floats`: `run` takes floats for it and quantises them on their way into the arena.
    `is_streamed`: it is handed in row by row, and nowhere as a whole.
    """

    name: str
    comment: str
    c_type: str
    elements: int
    offset: int
    size_bytes: int
    shape: str
    scale: str | None
    zero_point: int | None
    is_given_floats: bool = False
    is_streamed: bool = False

    @property
    def given_c_type(self) -> str:
        """The type of its elements where `run` takes it."""
        return "float" if self.is_given_floats else self.c_type


@dataclass(frozen=True, slots=True)
class Sources:
    """Generated C. `files` maps a name to its text; `kernels` are those that are called.

    `weights_bytes` are the model's own, `constants_bytes` all that goes to flash beside code.
    """

    files: dict[str, str]
    kernels: tuple[str, ...]
    weights_bytes: int
    constants_bytes: int
    inputs: tuple[ApiTensor, ...]
    outputs: tuple[ApiTensor, ...]

    @property
    def streamed_bytes(self) -> int:
        """Of inputs that are handed in row by row, all rows together."""
        return sum(io.size_bytes for io in self.inputs if io.is_streamed)

    @property
    def build_id(self) -> int:
        """A CRC-32 of all the text: the firmware repeats it, so that a stale image is noticed."""
        return zlib.crc32("".join(self.files.values()).encode("utf-8"))


@dataclass(frozen=True, slots=True)
class _Step:
    """A row of the plan in the header comment, and the call that carries it out."""

    position: int
    operator: int
    kind: str
    kernel: str
    params: tuple[tuple[str, str], ...]
    arguments: tuple[str, ...]
    accesses: tuple[str, ...]
    live_bytes: int


def emit(
    name: str,
    model: Model,
    calls: Sequence[KernelCall],
    memory: MemoryModel,
    plan: Plan,
    stem: str = "",
    given: Sequence[int] = (),
) -> Sources:
    """The C of `model` under `plan`; every global symbol starts with `mcuc_<name>_`.

    `stem` begins the names of the files, for those that go where other models' are.
    `given` are the float tensors that `run` is given, where they are not the graph's inputs
    but quantised to them.
    """
    emitter = _Emitter(name, model.graphs[0], calls, memory, plan)
    steps = emitter.steps()
    graph = model.graphs[0]
    inputs, outputs = emitter.io(graph.inputs, "input"), emitter.io(graph.outputs, "output")
    quantized = [a != b for a, b in zip(given or graph.inputs, graph.inputs, strict=True)]
    inputs = tuple(replace(io, is_given_floats=q) for io, q in zip(inputs, quantized, strict=True))
    kernels = sorted({call.kernel for call in calls} | ({QUANTIZE} if any(quantized) else set()))
    context = {
        "stem": stem,
        "version": mcucomp.__version__,
        "source": comment(model.source),
        "sha256": model.sha256,
        "name": name,
        "prefix": f"mcuc_{name}",
        "macro": f"MCUC_{name.upper()}",
        "plan": plan,
        "arena_alignment": ARENA_ALIGNMENT,
        # An arena of no bytes would be no C object.
        "arena_bytes": max(plan.arena_bytes, plan.alignment),
        "inputs": inputs,
        "outputs": outputs,
        "steps": steps,
        "input_rows": emitter.places(graph.inputs),
        "output_rows": emitter.places(graph.outputs),
        "written_rows": emitter.written(),
        "arrays": emitter.pool.arrays,
        "names_of_math": _has_names_of_math(steps, emitter.pool.arrays),
        "headers": [backends.header(kernel) for kernel in kernels],
    }
    return Sources(
        files={
            f"{stem}{file}": environment().get_template(f"{file}.j2").render(context)
            for file in ("model.h", "model.c", "weights.h", "weights.c")
        },
        kernels=tuple(kernels),
        weights_bytes=weights_bytes(emitter.pool.arrays),
        constants_bytes=sum(array.size_bytes for array in emitter.pool.arrays),
        inputs=inputs,
        outputs=outputs,
    )


def environment() -> jinja2.Environment:
    """Where the templates are, and how they are read."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader("mcucomp.codegen"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # this is C; what is put in went through names.py and constants.py
    )


def _has_names_of_math(steps: Sequence[_Step], arrays: Sequence[FlashArray]) -> bool:
    """Whether a value is infinite or no number, which only math.h has names for."""
    texts = [text for step in steps for _, text in step.params]
    texts += [row for array in arrays if array.c_type == "float" for row in array.rows]
    return any("INFINITY" in text or "NAN" in text for text in texts)


def weights_bytes(arrays: Sequence[FlashArray]) -> int:
    """Bytes of the model's own weights, without quantisation parameters."""
    return sum(array.size_bytes for array in arrays if array.is_weight)


def api_tensor(tensor: Tensor, name: str, offset: int) -> ApiTensor:
    """An input or output that the API calls `name`, at `offset` in the arena."""
    quantization = tensor.quantization
    return ApiTensor(
        name=name,
        comment=comment(short_name(tensor.name)),
        c_type=tensor.dtype.c_type,
        elements=tensor.elements,
        offset=offset,
        size_bytes=tensor.size_bytes,
        shape=" x ".join(map(str, tensor.shape)) or "scalar",
        scale=float_literal(quantization.scales[0]) if quantization else None,
        zero_point=quantization.zero_points[0] if quantization else None,
    )


class _Emitter:
    """Walks the plan once and collects constants as it meets them."""

    def __init__(
        self,
        name: str,
        graph: Graph,
        calls: Sequence[KernelCall],
        memory: MemoryModel,
        plan: Plan,
    ) -> None:
        self.graph, self.calls, self.memory, self.plan = graph, calls, memory, plan
        self.pool = ConstantPool(f"mcuc_{name}_")

    def offset(self, tensor: int) -> int:
        buffer = self.memory.buffer_of_tensor[tensor]
        return self.plan.offsets[buffer] + self.memory.place_in_buffer[tensor]

    def steps(self) -> list[_Step]:
        live = live_bytes(self.memory.step_graph, self.plan.order)
        rows = []
        for position, step in enumerate(self.plan.order):
            call = self.calls[step]
            operator = self.graph.operators[self.memory.operators[step]]
            reads = [self._argument(t, "const ", call, position) for t in call.reads]
            writes = [self._argument(t, "", call, position) for t in call.writes]
            arguments = [
                *([pointers("const void *const", reads)] if call.reads_as_array else reads),
                *([pointers("void *const", writes)] if call.writes_as_array else writes),
            ]
            scratch_offset = self.plan.scratch_offsets[step]
            if scratch_offset is not None:
                arguments.append(f"arena + {scratch_offset}")
            rows.append(
                _Step(
                    position=position,
                    operator=operator.index,
                    kind=operator.kind,
                    kernel=call.kernel,
                    params=tuple(
                        (key, param_text(self.pool, f"step{position}_{key}", value))
                        for key, value in call.params.items()
                    ),
                    arguments=tuple(arguments),
                    accesses=(
                        *(f"reads  {self._place(t)}" for t in call.reads),
                        *(f"writes {self._place(t)}" for t in call.writes),
                    ),
                    live_bytes=live[position],
                )
            )
        return rows

    def _place(self, index: int) -> str:
        tensor = self.graph.tensors[index]
        where = "flash" if tensor.is_constant else str(self.offset(index))
        return f"{comment(short_name(tensor.name))}@{where}"

    def _argument(self, index: int, qualifier: str, call: KernelCall, position: int) -> str:
        tensor = self.graph.tensors[index]
        if not tensor.is_constant:
            return f"({qualifier}void *)(arena + {self.offset(index)})"
        name = f"step{position}_input{call.reads.index(index)}"
        return f"(const void *){self.pool.add(name, tensor_constant(tensor))}"

    def io(self, indices: Sequence[int], word: str) -> tuple[ApiTensor, ...]:
        return tuple(
            api_tensor(
                self.graph.tensors[index],
                word if len(indices) == 1 else f"{word}_{k}",
                self.offset(index),
            )
            for k, index in enumerate(indices)
        )

    def places(self, indices: Sequence[int]) -> list[tuple[int, int, int]]:
        """(-1, offset, bytes) of each tensor."""
        return [(-1, self.offset(t), self.graph.tensors[t].size_bytes) for t in indices]

    def written(self) -> list[tuple[int, int, int]]:
        """(step, offset, bytes) of each tensor that the steps write, in their order."""
        return [
            (position, self.offset(t), self.graph.tensors[t].size_bytes)
            for position, step in enumerate(self.plan.order)
            for t in self.calls[step].writes
        ]
