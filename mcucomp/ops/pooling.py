"""What do AVERAGE_POOL_2D and MAX_POOL_2D have in common?

In: a pool's kind. Out: its definition; only the kernel's name differs.
"""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, KernelCall, Node, OperatorDef, ParamValue
from mcucomp.ops.clearance import ascending, channelwise
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
    has_type,
    integer_option,
    is_quantized,
    takes,
)
from mcucomp.ops.convolution import output_params
from mcucomp.ops.windows import Window, is_step, window_of, window_options

# The sum of that many int8 stays far below 2^31.
_POOLED_MAX = 1 << 23


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


def _filter_size(name: str) -> Constraint:
    return has_option(name, f"{name} is from 1 to {DIMENSION_MAX:,}", is_step)


def pool_definition(kind: str, summary: str, kernel: str) -> OperatorDef:
    """The definition of a pool that `kernel` computes."""

    def lower(node: Node) -> KernelCall:
        source, result, window = node.input(0), node.output(), _window(node)
        batches, in_height, in_width, channels = source.shape
        output = output_params(node, result)
        params: dict[str, ParamValue] = {
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
            "out_min": output["out_min"],
            "out_max": output["out_max"],
        }
        low_bytes = channelwise(window, batches, channels, paired=False, block=1)
        return KernelCall(
            kernel,
            params,
            reads=(source.index,),
            writes=(result.index,),
            clearances=(ascending(0, low_bytes),),
        )

    return OperatorDef(
        kind=kind,
        summary=summary,
        constraints=(
            takes(INPUT),
            has_type(INPUT, DType.INT8),
            has_type(OUTPUT, DType.INT8),
            has_rank(INPUT, 4),
            has_rank(OUTPUT, 4),
            has_elements(INPUT),
            has_elements(OUTPUT),
            has_small_dimensions(INPUT),
            has_small_dimensions(OUTPUT),
            is_quantized(INPUT),
            is_quantized(OUTPUT),
            has_same_quantization(INPUT, OUTPUT),
            has_known_activation(),
            *window_options(dilated=False),
            _filter_size("filter_height"),
            _filter_size("filter_width"),
            Constraint(f"a window has at most {_POOLED_MAX:,} pixels", _pooled_found),
            has_shape(OUTPUT, "input, window, padding and strides", _output_shape),
        ),
        lower=lower,
    )
