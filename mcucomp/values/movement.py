"""Between which values is what an operator only moves?

In: an operator that copies values, and the bounds of its inputs. Out: the same
bounds where the values go. Where the way of a single value is not followed, the
bounds of all of them hold for each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.axes import axis_option, wrapped
from mcucomp.ops.base import Node, registered
from mcucomp.ops.conditions import zero_point_of
from mcucomp.ops.constants import array_of
from mcucomp.values.found import Found, Transfer
from mcucomp.values.interval import ELEMENTS_MAX, Interval, joined

_COPIED = "copied"


def _anywhere(
    sources: Sequence[Interval | None], node: Node, more: int | None = None
) -> Found | None:
    """Any value of any source, or `more`, may be anywhere in any output."""
    bounds = [source.hull(range(source.low.ndim)) for source in sources if source is not None]
    if len(bounds) != len(sources):
        return None
    low = min(int(b.low.item()) for b in bounds)
    high = max(int(b.high.item()) for b in bounds)
    if more is not None:
        low, high = min(low, more), max(high, more)
    outputs = []
    for k in range(len(node.operator.outputs)):
        shape = (1,) * len(node.output(k).shape)
        outputs.append(Interval(np.full(shape, low, np.int64), np.full(shape, high, np.int64)))
    return Found(tuple(outputs), "some of the input's values")


def _some(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    return _anywhere(inputs[:1], node)


def _some_or_zero(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    """Channels stay; where blocks are filled up there is a 0."""
    if inputs[0] is None:
        return None
    found = inputs[0].hull(range(inputs[0].low.ndim - 1))
    return Found((Interval(np.minimum(found.low, 0), np.maximum(found.high, 0)),), "or a raw 0")


def _channels_stay(_node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    if inputs[0] is None:
        return None
    return Found((inputs[0].hull(range(inputs[0].low.ndim - 1)),), _COPIED)


def _reshaped(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    source, shape = inputs[0], node.output().shape
    if source is None:
        return None
    if node.input(0).elements > ELEMENTS_MAX:
        return _anywhere([source], node)
    full = source.full(node.input(0).shape)
    return Found((Interval(full.low.reshape(shape), full.high.reshape(shape)),), _COPIED)


def _strided(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    """As the kernel walks through the input: TRANSPOSE, SLICE, STRIDED_SLICE."""
    source, result = inputs[0], node.output()
    if source is None:
        return None
    if node.input(0).elements > ELEMENTS_MAX:
        return _anywhere([source], node)
    full = source.full(node.input(0).shape)
    call = registered()[node.operator.kind].lower(node)
    if call.kernel == "mcuc_copy_s8":
        low, high = (end.reshape(result.shape) for end in (full.low, full.high))
        return Found((Interval(low, high),), _COPIED)
    start, shape, strides = (call.params[name] for name in ("start", "shape", "strides"))
    assert isinstance(start, int)
    assert isinstance(shape, tuple)
    assert isinstance(strides, tuple)
    place = np.full((1,) * len(shape), start)
    for axis, (size, step) in enumerate(zip(shape, strides, strict=True)):
        along = (np.arange(size) * step).reshape((size, *(1,) * (len(shape) - axis - 1)))
        place = place + along
    ends = (end.reshape(-1)[place].reshape(result.shape) for end in (full.low, full.high))
    return Found((Interval(*ends),), _COPIED)


def _concatenated(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    result = node.output()
    bounds = [source for source in inputs if source is not None]
    if len(bounds) != len(inputs):
        return None
    axis = wrapped(axis_option(node), len(result.shape))
    if axis < len(result.shape) - 1:
        return Found((joined([b.hull((axis,)) for b in bounds]),), _COPIED)
    common = np.broadcast_shapes(*(b.low.shape[:-1] for b in bounds))
    full = [b.full((*common, node.input(k).shape[-1])) for k, b in enumerate(bounds)]
    low, high = (
        np.concatenate([getattr(b, end) for b in full], axis=axis) for end in ("low", "high")
    )
    return Found((Interval(low, high),), _COPIED)


def _parted(node: Node, source: Interval | None, shape: Sequence[int], axis: int) -> Found | None:
    """SPLIT and SPLIT_V: outputs behind each other along `axis`."""
    if source is None:
        return None
    outputs, first = [], 0
    for k in range(len(node.operator.outputs)):
        size = node.output(k).shape[axis]
        if source.low.shape[axis] == 1:
            outputs.append(source)
        else:
            low, high = (
                end.take(range(first, first + size), axis=axis) for end in (source.low, source.high)
            )
            outputs.append(Interval(low, high))
        first += size
    assert first == shape[axis]
    return Found(tuple(outputs), _COPIED)


def _split(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    shape = node.input(1).shape
    axis = wrapped(int(array_of(node.input(0)).ravel()[0]), len(shape))
    return _parted(node, inputs[1], shape, axis)


def _split_v(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    shape = node.input(0).shape
    axis = wrapped(int(array_of(node.input(2)).ravel()[0]), len(shape))
    return _parted(node, inputs[0], shape, axis)


def _padded(node: Node, inputs: Sequence[Interval | None]) -> Found | None:
    """Margins hold one value: of PADV2 its constant, else the zero point, for int16 0."""
    source, paddings = inputs[0], node.input(1)
    if source is None or not paddings.is_constant:
        return None
    value = zero_point_of(node.output()) if node.output().dtype is DType.INT8 else 0
    if node.operator.kind == "PADV2":
        fill = node.input(2)
        if not fill.is_constant:
            return None
        value = int(array_of(fill).ravel()[0])
    margins = array_of(paddings).tolist()
    outer = [axis for axis, pair in enumerate(margins[:-1]) if sum(pair)]
    low, high = source.low, source.high
    if outer:
        around = source.hull(outer)
        low, high = np.minimum(around.low, value), np.maximum(around.high, value)
    if sum(margins[-1]):
        full = Interval(low, high).full((*low.shape[:-1], node.input(0).shape[-1]))
        last = [(0, 0)] * (low.ndim - 1) + [tuple(margins[-1])]
        low, high = (np.pad(end, last, constant_values=value) for end in (full.low, full.high))
    return Found((Interval(low, high),), f"copied, with {value} around")


TRANSFERS: Mapping[str, Transfer] = {
    "BATCH_TO_SPACE_ND": _channels_stay,
    "BROADCAST_TO": _some,
    "CONCATENATION": _concatenated,
    "DEPTH_TO_SPACE": _some,
    "EXPAND_DIMS": _reshaped,
    "GATHER": _some,
    "GATHER_ND": _some,
    "MIRROR_PAD": _some,
    "PACK": lambda node, inputs: _anywhere(inputs, node),
    "PAD": _padded,
    "PADV2": _padded,
    "RESHAPE": _reshaped,
    "REVERSE_V2": _some,
    "SLICE": _strided,
    "SPACE_TO_BATCH_ND": _some_or_zero,
    "SPACE_TO_DEPTH": _some,
    "SPLIT": _split,
    "SPLIT_V": _split_v,
    "SQUEEZE": _reshaped,
    "STRIDED_SLICE": _strided,
    "TRANSPOSE": _strided,
    "UNPACK": _some,
}
