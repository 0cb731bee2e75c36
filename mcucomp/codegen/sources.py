"""What do all generated sources have in common, whatever the plan?

In: a `Text`: a model, the constants and kernels that its plan needs, its inputs and
outputs; and what the templates of that plan ask for besides. Out: the `Sources`.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import mcucomp
from mcucomp import backends
from mcucomp.codegen.constants import ConstantPool, float_literal
from mcucomp.codegen.names import comment
from mcucomp.codegen.state import StateLayout
from mcucomp.codegen.texts import rendered
from mcucomp.errors import short_name
from mcucomp.ir import Graph, Model, Tensor

# Offsets within the arena are multiples of the plan's alignment; the arena itself starts
# at a multiple of this, which is enough for every element type and for 128-bit loads.
ARENA_ALIGNMENT = 16
QUANTIZE = "mcuc_quantize_f32_s8"


@dataclass(frozen=True, slots=True)
class ApiTensor:
    """An input or output: how the API names it, and where it is.

    `pointer` is a C expression in terms of `arena`; of `variables` where it
    `is_variable`, and of neither where it `is_constant`. `is_given_floats`: `run` takes
    floats for it and quantises them on their way into the arena. `is_streamed`: it is
    handed in row by row, and nowhere as a whole.
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
    is_streamed: bool = False

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
    def streamed_bytes(self) -> int:
        """Of inputs that are handed in row by row, all rows together."""
        return sum(io.size_bytes for io in self.inputs if io.is_streamed)

    @property
    def build_id(self) -> int:
        """A CRC-32 of all the text: the firmware repeats it, so that a stale image is noticed."""
        return zlib.crc32("".join(self.files.values()).encode("utf-8"))


@dataclass(frozen=True, slots=True)
class Text:
    """What a model's C is made of.

    `kernels` are those of mcucomp's that are called, `own` the files of the user's operators;
    `params` all values of kernels' parameters, as C. `stem` begins the names of files.
    """

    name: str
    stem: str
    model: Model
    pool: ConstantPool
    kernels: frozenset[str]
    own: Mapping[str, str]
    params: Iterable[str]
    inputs: tuple[ApiTensor, ...]
    outputs: tuple[ApiTensor, ...]
    state: StateLayout
    arena_bytes: int

    def sources(self, templates: Mapping[str, str], members: Mapping[str, object]) -> Sources:
        """Files by the templates that make them, which are given `members` too."""
        arrays = self.pool.arrays
        quantizes = any(io.is_given_floats for io in self.inputs)
        kernels = sorted(self.kernels | ({QUANTIZE} if quantizes else set()))
        context = {
            "stem": self.stem,
            "version": mcucomp.__version__,
            "source": comment(self.model.source),
            "sha256": self.model.sha256,
            "name": self.name,
            "prefix": f"mcuc_{self.name}",
            "macro": f"MCUC_{self.name.upper()}",
            "arena_alignment": ARENA_ALIGNMENT,
            "arena_bytes": self.arena_bytes,
            "state": self.state,
            "inputs": self.inputs,
            "outputs": self.outputs,
            "arrays": arrays,
            "names_of_math": self._has_names_of_math(),
            "headers": [
                *(backends.header(kernel) for kernel in kernels),
                *(file for file in self.own if file.endswith(".h")),
            ],
            **members,
        }
        return Sources(
            files={
                f"{self.stem}{file}": rendered("mcucomp.codegen", f"{template}.j2", context)
                for file, template in templates.items()
            }
            | dict(self.own),
            kernels=tuple(kernels),
            own_kernels=tuple(file for file in self.own if file.endswith(".c")),
            weights_bytes=sum(array.size_bytes for array in arrays if array.is_weight),
            constants_bytes=sum(array.size_bytes for array in arrays),
            state_bytes=self.state.size_bytes,
            inputs=self.inputs,
            outputs=self.outputs,
        )

    def _has_names_of_math(self) -> bool:
        """Whether a value is infinite or no number, which only math.h has names for."""
        floats = (array for array in self.pool.arrays if array.c_type == "float")
        texts = [*self.params, *(row for array in floats for row in array.rows)]
        return any("INFINITY" in text or "NAN" in text for text in texts)


def api_names(indices: Sequence[int], word: str) -> list[str]:
    """What the API calls inputs or outputs."""
    return [word if len(indices) == 1 else f"{word}_{k}" for k in range(len(indices))]


def api_tensor(tensor: Tensor, name: str, pointer: str) -> ApiTensor:
    """An input or output that the API calls `name`, at `pointer`."""
    quantization = tensor.quantization
    return ApiTensor(
        name=name,
        comment=comment(short_name(tensor.name)),
        c_type=tensor.dtype.c_type,
        elements=tensor.elements,
        pointer=pointer,
        size_bytes=tensor.size_bytes,
        shape=" x ".join(map(str, tensor.shape)) or "scalar",
        scale=float_literal(quantization.scales[0]) if quantization else None,
        zero_point=quantization.zero_points[0] if quantization else None,
        is_constant=tensor.is_constant,
        is_variable=tensor.is_variable,
    )


def given_floats(
    inputs: Sequence[ApiTensor], graph: Graph, given: Sequence[int]
) -> tuple[ApiTensor, ...]:
    """`inputs` of `graph` with those marked that `run` is given as the floats `given`."""
    quantized = [a != b for a, b in zip(given or graph.inputs, graph.inputs, strict=True)]
    return tuple(replace(io, is_given_floats=q) for io, q in zip(inputs, quantized, strict=True))
