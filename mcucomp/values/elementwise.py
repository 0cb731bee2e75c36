"""Between which values is what an operator makes element by element?

In: an operator on one tensor or on two, and the bounds of its inputs. Out: those
of its output. What depends on one value of a byte or two is computed for every
one of them, as the kernels do it, so that a function may bend as it likes;
sums, products and rescaling go by the ends of the intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import quantize_multiplier
from mcucomp.ops.base import ConstantArray, KernelCall, Node, registered
from mcucomp.ops.conditions import scale_of, zero_point_of
from mcucomp.ops.pairs import common_multipliers
from mcucomp.ops.scales import scale_ratio
from mcucomp.ops.sums import LEFT_SHIFT, real_output
from mcucomp.values.found import Found, Transfer
from mcucomp.values.interval import LIMITS, Interval
from mcucomp.values.layers import limits
from mcucomp.values.requantise import clamped, requantised, scaled


def lookup(node: Node) -> np.ndarray | None:
    """The output for each value of the input's type, lowest first; None where it is not known.

    For an operator on one tensor that keeps to its constraints.
    """
    if node.input(0).dtype not in LIMITS or node.output().dtype not in LIMITS:
        return None
    call = registered()[node.operator.kind].lower(node)
    if call.kernel == "mcuc_lookup_s8":
        table = call.params["table"]
        assert isinstance(table, ConstantArray)
        values: np.ndarray = table.values.astype(np.int64)
        return values
    made = {"mcuc_piecewise_s16": _piecewise, "mcuc_sigmoid_s16": _sigmoid}.get(call.kernel)
    return None if made is None else made(call, np.arange(-(2**15), 2**15, dtype=np.int64))


def _integers(call: KernelCall, *names: str) -> list[int]:
    found = [call.params[name] for name in names]
    assert all(isinstance(value, int) for value in found)
    return [int(value) for value in found]  # type: ignore[arg-type]


def _piecewise(call: KernelCall, x: np.ndarray) -> np.ndarray:
    """One scale above the zero point, another below; see `mcuc/piecewise_s16.h`."""
    in_zero_point, out_zero_point, low, high, negative_sign, out_sign = _integers(
        call,
        "in_zero_point", "out_zero_point", "out_min", "out_max", "negative_sign", "out_sign",
    )  # fmt: skip
    value = x - in_zero_point
    parts = []
    for side, signed in (("positive", value), ("negative", value * negative_sign)):
        multiplier, right_shift = _integers(call, f"{side}_multiplier", f"{side}_right_shift")
        left = (signed << max(-right_shift, 0)) + 2**31
        wrapped = (left % 2**32 - 2**31) >> max(-right_shift, 0)
        parts.append(scaled(wrapped, np.int64(multiplier), np.int64(-right_shift)))  # type: ignore[arg-type]
    found = np.where(value >= 0, parts[0], out_sign * parts[1])
    clipped: np.ndarray = np.clip(found + out_zero_point, low, high)
    return clipped


def _sigmoid(call: KernelCall, x: np.ndarray) -> np.ndarray:
    """Straight lines between entries of a table; see `mcuc/sigmoid_s16.h`."""
    multiplier, shift, is_tanh = _integers(call, "multiplier", "shift", "is_tanh")
    table = call.params["table"]
    assert isinstance(table, ConstantArray)
    entries = np.append(table.values.astype(np.int64), 0)
    scaled_x = (x * multiplier + ((1 << shift) >> 1)) >> shift
    bits, last = (8, 65535 << 8) if is_tanh else (9, 32767 * 1024)
    place = np.abs(scaled_x) >> bits
    inside = np.minimum(place, 254)
    fraction = np.abs(scaled_x) & ((1 << bits) - 1)
    y = (entries[inside] << bits) + fraction * (entries[inside + 1] - entries[inside])
    y = np.where(place >= 255, last, y)
    if is_tanh:
        y = np.where(scaled_x >= 0, y - 2**23 + 128, 2**23 - y + 127)
        return y >> 8
    y = np.where(scaled_x >= 0, y + 512, 2**25 - y + 511)
    return y >> 10


def _unary(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    source = inputs[0]
    table = None if source is None else lookup(node)
    if source is None or table is None:
        return None
    lowest, _ = LIMITS[node.input(0).dtype]
    pairs = np.stack(np.broadcast_arrays(source.low, source.high), axis=-1)
    each, place = np.unique(pairs.reshape(-1, 2), axis=0, return_inverse=True)
    parts = [table[low - lowest : high - lowest + 1] for low, high in each.tolist()]
    place = place.reshape(pairs.shape[:-1])
    low = np.array([part.min() for part in parts], np.int64)[place]
    high = np.array([part.max() for part in parts], np.int64)[place]
    return Found((Interval(low, high),), "computed for each value of the input")


def _quantize(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    source, result = inputs[0], node.output()
    if source is None or result.dtype not in LIMITS:
        return None
    zero_point = zero_point_of(node.input(0))
    multiplier, exponent = quantize_multiplier(scale_ratio(node))
    moved = Interval(source.low - zero_point, source.high - zero_point)
    found, holds = requantised(
        moved, np.array(multiplier), np.array(exponent), zero_point_of(result)
    )
    return Found((clamped(found, holds, *LIMITS[result.dtype]),), "scaled by a positive factor")


def added(node: Node, a: Interval, b: Interval, sign: int) -> Interval:
    """Bounds of a + b or a - b; both are brought to a common scale with its rounding."""
    first, second, result = node.input(0), node.input(1), node.output()
    multipliers, right_shifts, _ = common_multipliers(first, second)
    shift = LEFT_SHIFT[first.dtype]
    terms = []
    for operand, tensor, name in ((a, first, "a"), (b, second, "b")):
        zero_point = zero_point_of(tensor)
        ends = [
            scaled(
                (end - zero_point) << shift,
                np.array(multipliers[f"{name}_multiplier"]),
                np.array(-right_shifts[f"{name}_right_shift"]),
            )
            for end in (operand.low, operand.high)
        ]
        terms.append(ends)
    (a_low, a_high), (b_low, b_high) = terms
    if sign < 0:
        b_low, b_high = -b_high, -b_low
    multiplier, exponent = quantize_multiplier(real_output(node))
    found, holds = requantised(
        Interval(a_low + b_low, a_high + b_high),
        np.array(multiplier),
        np.array(exponent),
        zero_point_of(result),
    )
    return clamped(found, holds, *limits(node))


def multiplied(node: Node, a: Interval, b: Interval) -> Interval:
    """Bounds of a * b: the extremes of a product lie at corners."""
    first, second, result = node.input(0), node.input(1), node.output()
    corners = [
        (x - zero_point_of(first)) * (y - zero_point_of(second))
        for x, y in product((a.low, a.high), (b.low, b.high))
    ]
    total = Interval(np.minimum.reduce(corners), np.maximum.reduce(corners))
    multiplier, exponent = quantize_multiplier(
        scale_of(first) * scale_of(second) / scale_of(result)
    )
    found, holds = requantised(
        total, np.array(multiplier), np.array(exponent), zero_point_of(result)
    )
    return clamped(found, holds, *limits(node))


def _pair(kind: str) -> Transfer:
    def transfer(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
        a, b = inputs[0], inputs[1]
        if a is None or b is None:
            return None
        return Found((PAIRS[kind](node, a, b),), "the ends of both inputs combined")

    return transfer


PAIRS: Mapping[str, Callable[[Node, Interval, Interval], Interval]] = {
    "ADD": lambda node, a, b: added(node, a, b, 1),
    "SUB": lambda node, a, b: added(node, a, b, -1),
    "MUL": multiplied,
    "MAXIMUM": lambda _node, a, b: Interval(np.maximum(a.low, b.low), np.maximum(a.high, b.high)),
    "MINIMUM": lambda _node, a, b: Interval(np.minimum(a.low, b.low), np.minimum(a.high, b.high)),
}
UNARY = (
    "ABS", "ELU", "HARD_SWISH", "LEAKY_RELU", "LOGISTIC", "RELU", "RELU6", "RSQRT", "TANH",
)  # fmt: skip


def _prelu(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    """Each value above 0 at one scale; below it times a factor, at another."""
    source, alpha, result = inputs[0], inputs[1], node.output()
    if source is None or alpha is None or node.input(0).dtype is not DType.INT8:
        return None
    x_zero, alpha_zero = zero_point_of(node.input(0)), zero_point_of(node.input(1))
    positive = quantize_multiplier(scale_ratio(node))
    negative = quantize_multiplier(
        scale_of(node.input(0)) * scale_of(node.input(1)) / scale_of(result)
    )
    low, high = source.low - x_zero, source.high - x_zero
    below = [
        np.minimum(x, 0) * (factor - alpha_zero)
        for x, factor in product((low, high), (alpha.low, alpha.high))
    ]
    parts = [
        (Interval(np.maximum(low, 0), np.maximum(high, 0)), positive, high >= 0),
        (Interval(np.minimum.reduce(below), np.maximum.reduce(below)), negative, low < 0),
    ]
    lowest, highest = LIMITS[result.dtype]
    ends_low, ends_high = [], []
    for total, (multiplier, exponent), occurs in parts:
        found, holds = requantised(
            total, np.array(multiplier), np.array(exponent), zero_point_of(result)
        )
        part = clamped(found, holds, lowest, highest)
        ends_low.append(np.where(occurs, part.low, highest))
        ends_high.append(np.where(occurs, part.high, lowest))
    both = Interval(np.minimum(*ends_low), np.maximum(*ends_high))
    return Found((both,), "the ends of the input on both sides of 0")


TRANSFERS: Mapping[str, Transfer] = {
    **{kind: _pair(kind) for kind in PAIRS},
    **dict.fromkeys(UNARY, _unary),
    "PRELU": _prelu,
    "QUANTIZE": _quantize,
}
