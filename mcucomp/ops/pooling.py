"""What do AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D have in common?

In: a pool's kind, and how kernels know it. Out: its definition.
"""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, ParamValue
from mcucomp.ops.conditions import (
    DIMENSION_MAX,
    INPUT,
    OUTPUT,
    has_elements,
    has_known_activation,
    has_option,
    has_rank,
    has_same_quantization,
    has_shape,
    has_small_dimensions,
    integer_option,
    is_quantized,
    takes,
)
from mcucomp.ops.convolution import output_params
from mcucomp.ops.element_types import same_types, where
from mcucomp.ops.ranges import float_range
from mcucomp.ops.windows import Window, is_step, window_of, window_options

# The sum of that many int8 stays far below 2^31.
_POOLED_MAX = 1 << 23
# That of so many int16 below 2^31.
_INT16_POOLED_MAX = (1 << 16) - 1
_INT16_SENTENCE = f"a window has at most {_INT16_POOLED_MAX:,} pixels"


def _window(node: Node) -> Window:
    taps_h, taps_w = integer_option(node, "filter_height"), integer_option(node, "filter_width")
    return window_of(node, taps_h, taps_w, dilated=False)


def _output_shape(node: Node) -> tuple[int, ...]:
    window = _window(node)
    batches, _, _, channels = node.input(0).shape
    return batches, window.height.out_size, window.width.out_size, channels


def _pooled_found(node: Node) -> str | None:
    pooled = integer_option(node, "filter_height") * integer_option(node, "filter_width")
    return None if pooled <= _POOLED_MAX else f"{pooled:,}"


def _int16_pooled_found(node: Node) -> str | None:
    pooled = integer_option(node, "filter_height") * integer_option(node, "filter_width")
    return None if pooled <= _INT16_POOLED_MAX else f"{pooled:,}"


def _range(node: Node) -> dict[str, ParamValue]:
    """The bounds of a fused activation."""
    if node.input(0).dtype is DType.FLOAT32:
        low, high = float_range(node)
        return {"out_min": low, "out_max": high}
    output = output_params(node, node.output())
    return {"out_min": output["out_min"], "out_max": output["out_max"]}


def _filter_size(name: str) -> Constraint:
    return has_option(name, f"{name} is from 1 to {DIMENSION_MAX:,}", is_step)


def _params(node: Node) -> dict[str, ParamValue]:
    """What every pool's kernel is told."""
    result, window = node.output(), _window(node)
    batches, in_height, in_width, channels = node.input(0).shape
    return {
        "batches": batches,
        "in_height": in_height,
        "in_width": in_width,
        "out_height": result.shape[1],
        "out_width": result.shape[2],
        "channels": channels,
        "filter_height": window.height.taps,
        "filter_width": window.width.taps,
        "stride_h": window.height.stride,
        "stride_w": window.width.stride,
        "pad_top": window.height.pad_before,
        "pad_left": window.width.pad_before,
        **_range(node),
    }


def pool_definition(
    kind: str, summary: str, operation: str, int8_kernel: str | None = None
) -> OperatorDef:
    """The definition of a pool.

    Kernels for float32 and int16 know it by a character; `int8_kernel` has a
    name of its own. Without that, the pool is of float32 only.
    """
    dtypes = (DType.FLOAT32, DType.INT8, DType.INT16) if int8_kernel else (DType.FLOAT32,)

    def lower(node: Node) -> KernelCall:
        source, params = node.input(0), _params(node)
        is_float = source.dtype is DType.FLOAT32
        kernel = "mcuc_pool_2d_f32" if is_float else "mcuc_pool_2d_s16"
        if source.dtype is DType.INT8:
            assert int8_kernel is not None
            kernel = int8_kernel
        else:
            params["operation"] = ord(operation)
        return KernelCall(kernel, params, reads=(source.index,), writes=(node.output().index,))

    quantized = (
        is_quantized(INPUT),
        is_quantized(OUTPUT),
        where((DType.INT8, DType.INT16), has_same_quantization(INPUT, OUTPUT)),
    )
    return OperatorDef(
        kind=kind,
        summary=summary,
        constraints=(
            takes(INPUT),
            *same_types(dtypes),
            has_rank(INPUT, 4),
            has_rank(OUTPUT, 4),
            has_elements(INPUT),
            has_elements(OUTPUT),
            has_small_dimensions(INPUT),
            has_small_dimensions(OUTPUT),
            *(quantized if int8_kernel else ()),
            has_known_activation(),
            *window_options(dilated=False),
            _filter_size("filter_height"),
            _filter_size("filter_width"),
            Constraint(f"a window has at most {_POOLED_MAX:,} pixels", _pooled_found),
            *(
                (where(DType.INT16, Constraint(_INT16_SENTENCE, _int16_pooled_found)),)
                if int8_kernel
                else ()
            ),
            has_shape(OUTPUT, "input, window, padding and strides", _output_shape),
        ),
        lower=lower,
    )
