"""Which conditions do operators share?

Each function here makes one `Constraint`, for a tensor that an operator knows
by a role (`input`, `filter`, `output`). The sentence is what `mcucomp ops`
lists and what a message says when the condition does not hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from mcucomp.errors import printable
from mcucomp.ir import DType, OptionValue, Quantization, Tensor
from mcucomp.ops.arithmetic import ACTIVATIONS
from mcucomp.ops.base import Constraint, Node

DIMENSION_MAX = 32767
ELEMENTS_MAX = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Role:
    """What an operator calls one of its tensors, and where it finds it."""

    name: str
    position: int
    is_output: bool = False

    def of(self, node: Node) -> Tensor | None:
        """The tensor; None for an optional input that is absent."""
        if self.is_output:
            return node.output(self.position)
        return node.input(self.position) if node.has_input(self.position) else None


INPUT = Role("input", 0)
OUTPUT = Role("output", 0, is_output=True)


def dims(shape: tuple[int, ...]) -> str:
    """A shape as messages write it, such as `1x8x8x3`; `scalar` without dimensions."""
    return "x".join(str(d) for d in shape) if shape else "scalar"


def option_text(value: OptionValue) -> str:
    """The value of an option, as messages write it."""
    return "nothing" if value is None else printable(str(value))


def takes(*roles: Role, optional: int = 0, results: int = 1) -> Constraint:
    """The operator has these inputs and `results` outputs; the last `optional` may be absent."""
    names = [role.name for role in roles]
    required = len(names) - optional
    listed = [*names[:required], *(f"an optional {name}" for name in names[required:])]
    subject = f"{names[0]} is the only input" if len(names) == 1 else None
    given = "one output" if results == 1 else f"{results} outputs"
    sentence = f"{subject or 'inputs are ' + ' and '.join(listed)}, with {given}"

    def found(node: Node) -> str | None:
        inputs, outputs = len(node.operator.inputs), len(node.operator.outputs)
        if outputs != results or not required <= inputs <= len(names):
            return f"{_counted(inputs, 'input')} and {_counted(outputs, 'output')}"
        absent = [name for i, name in enumerate(names[:required]) if not node.has_input(i)]
        return f"no {absent[0]}" if absent else None

    return Constraint(sentence, found)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def of_tensor(role: Role, predicate: str, found: Callable[[Tensor], str | None]) -> Constraint:
    """`<role> <predicate>`; holds for an optional input that is absent."""

    def found_in(node: Node) -> str | None:
        tensor = role.of(node)
        return None if tensor is None else found(tensor)

    return Constraint(f"{role.name} {predicate}", found_in)


def has_type(role: Role, dtype: DType) -> Constraint:
    return of_tensor(
        role,
        f"is {dtype.value}",
        lambda t: None if t.dtype is dtype else t.dtype.value,
    )


def is_constant(role: Role) -> Constraint:
    return of_tensor(
        role, "is constant", lambda t: None if t.is_constant else "a tensor known at run time only"
    )


def has_rank(role: Role, low: int, high: int | None = None) -> Constraint:
    """`low` dimensions, or from `low` to `high`."""
    top = low if high is None else high
    count = f"{low}" if top == low else f"{low} to {top}"
    noun = "dimension" if count == "1" else "dimensions"
    return of_tensor(
        role,
        f"has {count} {noun}",
        lambda t: None if low <= len(t.shape) <= top else f"{len(t.shape)} ({dims(t.shape)})",
    )


def has_elements(role: Role) -> Constraint:
    """No dimension is zero or unknown, and sizes fit what kernels count with."""

    def found(tensor: Tensor) -> str | None:
        fits = all(d >= 1 for d in tensor.shape) and tensor.elements <= ELEMENTS_MAX
        return None if fits else dims(tensor.shape)

    return of_tensor(role, "has dimensions of at least 1 and fewer than 2^31 elements", found)


def has_small_dimensions(role: Role) -> Constraint:
    return of_tensor(
        role,
        f"has dimensions of at most {DIMENSION_MAX:,}",
        lambda t: None if all(d <= DIMENSION_MAX for d in t.shape) else dims(t.shape),
    )


def is_scale(scale: float) -> bool:
    return math.isfinite(scale) and scale > 0


_ZERO_POINTS = {
    DType.INT8: range(-(2**7), 2**7),
    DType.UINT8: range(2**8),
    DType.INT16: range(-(2**15), 2**15),
}


def is_quantized(role: Role) -> Constraint:
    """One scale and one zero point; nothing is asked of types that are not quantised."""

    def found(tensor: Tensor) -> str | None:
        q, zero_points = tensor.quantization, _ZERO_POINTS.get(tensor.dtype)
        if zero_points is None:
            return None
        if q is None or not q.scales:
            return "no quantisation"
        if len(q.scales) != 1 or len(q.zero_points) != 1:
            return f"{len(q.scales)} scales and {len(q.zero_points)} zero points"
        if not is_scale(q.scales[0]):
            return f"scale {q.scales[0]!r}"
        if q.zero_points[0] not in zero_points:
            return f"zero point {q.zero_points[0]}"
        return None

    return of_tensor(
        role, "has one scale, finite and above 0, and one zero point within its type", found
    )


def has_zero_point(role: Role, zero_point: int) -> Constraint:
    """Of a quantised tensor: its zero point is this one."""

    def found(tensor: Tensor) -> str | None:
        zero_points = quantization_of(tensor).zero_points
        return None if zero_points[0] == zero_point else f"{zero_points[0]}"

    return of_tensor(role, f"has the zero point {zero_point}", found)


def has_weight_scales(role: Role, axis: int, *, shifted: bool = False) -> Constraint:
    """One scale, or one for each entry along `axis`; zero points all 0, unless `shifted`."""

    def found(tensor: Tensor) -> str | None:
        q = tensor.quantization
        if q is None or not q.scales:
            return "no quantisation"
        count = tensor.shape[axis]
        if len(q.scales) not in (1, count):
            return f"{len(q.scales)} scales for {count} outputs"
        if len(q.scales) > 1 and q.axis != axis:
            return f"scales along dimension {q.axis}"
        wrong = [s for s in q.scales if not is_scale(s)]
        if wrong:
            return f"scale {wrong[0]!r}"
        other = [] if shifted else [z for z in q.zero_points if z != 0]
        return f"zero point {other[0]}" if other else None

    return of_tensor(
        role,
        f"has one scale, or one for each output along dimension {axis}, all finite and above 0"
        + ("" if shifted else ", and zero points of 0"),
        found,
    )


def has_same_quantization(role: Role, other: Role) -> Constraint:
    """Equal zero points, and scales that differ by at most 1e-6, which is TFLM's rule."""

    def found(node: Node) -> str | None:
        a, b = quantization_of(role.of(node)), quantization_of(other.of(node))
        same = abs(a.scales[0] - b.scales[0]) <= 1e-6 and a.zero_points == b.zero_points
        return None if same else f"{_described(a)} and {_described(b)}"

    return Constraint(f"{role.name} and {other.name} have the same quantisation", found)


def _described(q: Quantization) -> str:
    return f"scale {q.scales[0]:.9g} with zero point {q.zero_points[0]}"


def has_same_shape(role: Role, other: Role) -> Constraint:
    def found(node: Node) -> str | None:
        a, b = tensor_of(role, node).shape, tensor_of(other, node).shape
        return None if a == b else f"{dims(a)} and {dims(b)}"

    return Constraint(f"{role.name} and {other.name} have the same shape", found)


def has_shape(role: Role, rule: str, expected: Callable[[Node], tuple[int, ...]]) -> Constraint:
    """The tensor has the shape that follows from the others."""

    def found(node: Node) -> str | None:
        shape, wanted = tensor_of(role, node).shape, expected(node)
        return None if shape == wanted else f"{dims(shape)}, not {dims(wanted)}"

    return Constraint(f"{role.name} has the shape that {rule} give", found)


def has_option(name: str, wording: str, holds: Callable[[OptionValue], bool]) -> Constraint:
    """An option has one of the values that are known; absent counts as None."""

    def found(node: Node) -> str | None:
        value = node.operator.options.get(name)
        return None if holds(value) else option_text(value)

    return Constraint(wording, found)


def has_known_activation() -> Constraint:
    return has_option(
        "fused_activation_function",
        "fused activation is NONE, RELU, RELU6 or RELU_N1_TO_1",
        lambda value: value in ACTIVATIONS,
    )


def quantization_of(tensor: Tensor | None) -> Quantization:
    """The quantisation of a tensor whose constraints have been checked."""
    if tensor is None or tensor.quantization is None:
        raise ValueError("the tensor is not quantised")
    return tensor.quantization


def scale_of(tensor: Tensor) -> float:
    return quantization_of(tensor).scales[0]


def zero_point_of(tensor: Tensor) -> int:
    return quantization_of(tensor).zero_points[0]


def tensor_of(role: Role, node: Node) -> Tensor:
    """The tensor in a role that is not optional."""
    tensor = role.of(node)
    if tensor is None:
        raise ValueError(f"no {role.name}")
    return tensor


def activation_of(node: Node) -> str:
    return str(node.option("fused_activation_function"))


def integer_option(node: Node, name: str) -> int:
    """An integer option; 0 where it is absent, which is the schema's default."""
    value = node.operator.options.get(name)
    return value if isinstance(value, int) else 0
