"""RESIZE_BILINEAR: pixels weighted by their distance."""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.base import ConstantArray, Constraint, KernelCall, Node, OperatorDef, register
from mcucomp.ops.constants import float_array
from mcucomp.ops.element_types import by_type, same_types
from mcucomp.ops.resizing import is_aligned, is_centred, resize_constraints

_ONE = 1024
Axis = tuple[np.ndarray, np.ndarray, np.ndarray]


def _truncated(x: np.ndarray, divisor: int) -> np.ndarray:
    """x / divisor, rounded towards 0 as C does."""
    result: np.ndarray = np.sign(x) * (np.abs(x) // divisor)
    return result


def _int8_axis(in_size: int, out_size: int, *, aligned: bool, centred: bool) -> Axis:
    """(low, high, fraction in 1/1024) of each output pixel along an axis."""
    scale = (_ONE * in_size + out_size // 2) // out_size
    if aligned and out_size > 1:
        scale = (_ONE * (in_size - 1) + (out_size - 1) // 2) // (out_size - 1)
    places = np.arange(out_size, dtype=np.int64) * scale
    if centred:
        places = places + scale // 2 - _ONE // 2
    low = np.maximum(_truncated(places, _ONE), 0)
    high = np.minimum(_truncated(places + _ONE - 1, _ONE), in_size - 1)
    return low, high, places - _ONE * low


def _float_axis(in_size: int, out_size: int, *, aligned: bool, centred: bool) -> Axis:
    """(low, high, fraction) of each output pixel along an axis, in float32."""
    f = np.float32
    scale = f(in_size) / f(out_size)
    if aligned and out_size > 1:
        scale = f(in_size - 1) / f(out_size - 1)
    places = np.arange(out_size, dtype=f)
    places = (places + f(0.5)) * scale - f(0.5) if centred else places * scale
    low = np.maximum(np.floor(places), 0)
    high = np.minimum(np.ceil(places), in_size - 1)
    return low.astype(np.int64), high.astype(np.int64), (places - low.astype(f)).astype(f)


def _options_found(node: Node) -> str | None:
    return "both" if is_aligned(node) and is_centred(node) else None


def _lower(node: Node) -> KernelCall:
    source, result = node.input(0), node.output()
    is_int8 = source.dtype is DType.INT8
    axis = _int8_axis if is_int8 else _float_axis
    options = {"aligned": is_aligned(node), "centred": is_centred(node)}
    batches, in_height, in_width, channels = source.shape
    _, out_height, out_width, _ = result.shape
    axes = [axis(in_height, out_height, **options), axis(in_width, out_width, **options)]
    low, high, fraction = (np.concatenate([a[i] for a in axes]) for i in range(3))
    return KernelCall(
        "mcuc_resize_bilinear_s8" if is_int8 else "mcuc_resize_bilinear_f32",
        {
            "low": _indices(np.minimum(low, _sizes(in_height, in_width, out_height, out_width))),
            "high": _indices(np.maximum(high, 0)),
            "fraction": _indices(fraction) if is_int8 else float_array(fraction),
            "batches": batches,
            "in_height": in_height,
            "in_width": in_width,
            "out_height": out_height,
            "out_width": out_width,
            "channels": channels,
        },
        reads=(source.index,),
        writes=(result.index,),
    )


def _sizes(in_height: int, in_width: int, out_height: int, out_width: int) -> np.ndarray:
    """The last index of each entry's axis: rounding must not lead beyond it."""
    return np.repeat([in_height - 1, in_width - 1], [out_height, out_width])


def _indices(values: np.ndarray) -> ConstantArray:
    return ConstantArray("int16_t", values.astype(np.int16))


RESIZE_BILINEAR = register(
    OperatorDef(
        kind="RESIZE_BILINEAR",
        summary="an image of another size; pixels weighted by their distance",
        constraints=(
            *resize_constraints(*same_types((DType.FLOAT32, DType.INT8))),
            Constraint(
                "at most one of align_corners and half_pixel_centers is set", _options_found
            ),
        ),
        lower=by_type({DType.FLOAT32: _lower, DType.INT8: _lower}),
    )
)
