"""Which operators may write their output over their input, in TFLM's own kernels?

In: a model, an order, and the lifetimes that follow. Out: pairs of tensors that
may start at the same byte. TFLM has no notion of this: it happens when the
file prescribes one offset for both, and it is right only where the kernel has
read an element before it overwrites it. Here stand the uses for which that was
found true by running the stock reference kernels, and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mcucomp.ir import DType, Model, Tensor
from mcucomp.memory import Lifetime
from mcucomp.ops.base import Node
from mcucomp.tflm.scratch import KernelLibrary, constant_values

_NUMBERS = (DType.FLOAT32, DType.INT8, DType.INT16)
_QUANTISED = (DType.INT8, DType.INT16)


@dataclass(frozen=True, slots=True)
class Sharing:
    """Operator `operator` of the first graph may write `output` where `input` starts."""

    operator: int
    input: int
    output: int


def _same_size(node: Node, position: int) -> bool:
    """Element by element: a broadcast input is smaller and is never taken."""
    before, after = node.input(position), node.output()
    return (
        before.dtype in _NUMBERS
        and after.dtype in _NUMBERS
        and before.elements == after.elements
        and before.dtype.element_bytes == after.dtype.element_bytes
    )


def _inclusive(node: Node, position: int) -> bool:
    """An exclusive sum writes an element before it reads it."""
    return node.option("exclusive") is False and _same_size(node, position)


def _narrowing(node: Node, _position: int) -> bool:
    before, after = node.input(0), node.output()
    if before.dtype not in _NUMBERS or after.dtype not in _NUMBERS:
        return False
    return before.elements == after.elements and _element_bytes(after) <= _element_bytes(before)


def _copy(node: Node, _position: int) -> bool:
    before, after = node.input(0), node.output()
    return before.dtype is after.dtype and before.elements == after.elements


def _unpadded_window(node: Node, _position: int) -> bool:
    """A window never reads before its own output's place where nothing is padded."""
    before, after = node.input(0), node.output()
    return (
        before.dtype is after.dtype
        and before.dtype in _NUMBERS
        and len(before.shape) == len(after.shape) == 4
        and node.option("padding") == "VALID"
        and before.shape[0] == 1
        and before.shape[3] == after.shape[3]
        and all(a <= b for a, b in zip(after.shape, before.shape, strict=True))
    )


def _depthwise(node: Node, position: int) -> bool:
    weights = node.input(1)
    return (
        _unpadded_window(node, position)
        and node.option("depth_multiplier") == 1
        and weights.is_constant
        and weights.dtype is not DType.INT4
    )


def _strided_slice(node: Node, _position: int) -> bool:
    """With positive strides, an element moves towards the start, never the end."""
    before, after = node.input(0), node.output()
    strides = constant_values(node.input(3))
    return (
        before.dtype is after.dtype
        and before.dtype in _NUMBERS
        and strides is not None
        and bool((strides > 0).all())
        and after.elements <= before.elements
    )


def _transpose_conv(node: Node, _position: int) -> bool:
    """All of the input is summed up in scratch before the first output is written."""
    before, after = node.input(2), node.output()
    return before.dtype is after.dtype and before.dtype in _QUANTISED


def _element_bytes(tensor: Tensor) -> int:
    return tensor.dtype.element_bytes or 0


# For each kind: the positions of the inputs that qualify, and the condition.
_RULES: Mapping[str, tuple[tuple[int, ...], Callable[[Node, int], bool]]] = {
    "ABS": ((0,), _same_size),
    "ADD": ((0, 1), _same_size),
    "AVERAGE_POOL_2D": ((0,), _unpadded_window),
    "CUMSUM": ((0,), _inclusive),
    "DEPTHWISE_CONV_2D": ((0,), _depthwise),
    "ELU": ((0,), _same_size),
    "EXPAND_DIMS": ((0,), _copy),
    "HARD_SWISH": ((0,), _same_size),
    "L2_NORMALIZATION": ((0,), _same_size),
    "LEAKY_RELU": ((0,), _same_size),
    "LOGISTIC": ((0,), _same_size),
    "MAXIMUM": ((0, 1), _same_size),
    "MAX_POOL_2D": ((0,), _unpadded_window),
    "MINIMUM": ((0, 1), _same_size),
    "MUL": ((0, 1), _same_size),
    "PRELU": ((0,), _same_size),
    "QUANTIZE": ((0,), _narrowing),
    "RELU": ((0,), _same_size),
    "RELU6": ((0,), _same_size),
    "RESHAPE": ((0,), _copy),
    "RSQRT": ((0,), _same_size),
    "SOFTMAX": ((0,), _same_size),
    "SQUARED_DIFFERENCE": ((0, 1), _same_size),
    "SQUEEZE": ((0,), _copy),
    "STRIDED_SLICE": ((0,), _strided_slice),
    "SUB": ((0, 1), _same_size),
    "TANH": ((0,), _same_size),
    "TRANSPOSE_CONV": ((2,), _transpose_conv),
}


def sharings(
    model: Model,
    order: Sequence[int],
    lives: Mapping[int, Lifetime],
    kernels: KernelLibrary,
) -> list[list[Sharing]]:
    """For each operator of the first graph that can, in `order`, its choices of an input.

    `lives` are the lifetimes of the tensors that TFLM places. The input must
    die at the operator, and be no output of the graph; an operator whose
    kernel the library replaces is left alone.
    """
    graph = model.graphs[0]
    found = []
    for index in order:
        operator = graph.operators[index]
        if operator.kind not in _RULES or operator.kind in kernels.replaces:
            continue
        positions, holds = _RULES[operator.kind]
        node = Node(graph, operator)
        choices = []
        for position in positions:
            if len(operator.outputs) != 1 or not node.has_input(position):
                continue
            before, after = operator.inputs[position], operator.outputs[0]
            if before not in lives or after not in lives or before in graph.outputs:
                continue
            meet_once = lives[before].end == lives[after].start + 1
            if meet_once and _holds(holds, node, position):
                choices.append(Sharing(index, before, after))
        if choices:
            found.append(list(dict.fromkeys(choices)))
    return found


def _holds(condition: Callable[[Node, int], bool], node: Node, position: int) -> bool:
    """Whether the condition holds; not where the operator lacks what it asks for."""
    try:
        return condition(node, position)
    except (IndexError, KeyError):
        return False
