"""A PAD becomes the padding of the convolution or the pool that reads it.

Reason: the padded tensor need not exist; it is larger than its source and
lives beside it. Exact where the margin holds what a kernel takes for a pixel
outside the image: the input's zero point for a convolution; for a maximum the
lowest int8, which no pixel is below, as long as each window has a pixel. An
average counts the pixels of a margin, but not those outside, so it keeps its
PAD.
"""

from __future__ import annotations

from dataclasses import replace

from mcucomp.ir import DType, Graph, Operator
from mcucomp.ops import Node, registered
from mcucomp.ops.conditions import integer_option
from mcucomp.ops.constants import array_of
from mcucomp.ops.windows import EXPLICIT, window_of
from mcucomp.rewrite.edit import has_operands, producers, same_kind, with_operators

_CONVOLUTIONS = ("CONV_2D", "DEPTHWISE_CONV_2D")
_LOWEST = -128

Margins = tuple[tuple[int, int], tuple[int, int]]  # (top, bottom), (left, right)


def _margins(graph: Graph, operator: Operator) -> tuple[Margins, int] | None:
    """The margins around an image and the value in them; None where that is not what it adds."""
    fewest = {"PAD": 2, "PADV2": 3}.get(operator.kind)
    if fewest is None or not has_operands(operator, fewest):
        return None
    source, result = graph.tensors[operator.inputs[0]], graph.tensors[operator.outputs[0]]
    paddings, q = graph.tensors[operator.inputs[1]], result.quantization
    alike = replace(result, shape=source.shape, index=source.index, name=source.name)
    if source.dtype is not DType.INT8 or not same_kind(source, alike) or len(source.shape) != 4:
        return None
    known = paddings.is_constant and paddings.dtype in (DType.INT32, DType.INT64)
    if not known or paddings.shape != (4, 2) or q is None or len(q.zero_points) != 1:
        return None
    value = q.zero_points[0]
    if operator.kind == "PADV2":
        fill = graph.tensors[operator.inputs[2]]
        if not fill.is_constant or fill.dtype is not DType.INT8 or fill.elements != 1:
            return None
        value = int(array_of(fill).ravel()[0])
    batch, height, width, channels = array_of(paddings).tolist()
    if batch != [0, 0] or channels != [0, 0] or min(height + width) < 0:
        return None
    return ((height[0], height[1]), (width[0], width[1])), value


def _fold(graph: Graph, position: int, pad: Operator) -> Operator | None:
    """The reader at `position` with the margin of `pad` as its own; None where it is not exact."""
    found = _margins(graph, pad)
    reader = graph.operators[position]
    definition = registered().get(reader.kind)
    if found is None or definition is None:
        return None
    margins, value = found
    zero_points = graph.tensors[pad.outputs[0]].quantization
    assert zero_points is not None
    is_pool = reader.kind == "MAX_POOL_2D"
    if reader.kind in _CONVOLUTIONS:
        exact = value == zero_points.zero_points[0]
    else:
        exact = is_pool and value == _LOWEST
    node = Node(graph, reader)
    if not exact or definition.violation(node) is not None:
        return None
    options = _explicit(node, margins, dilated=not is_pool)
    if options is None:
        return None
    inputs = (pad.inputs[0], *reader.inputs[1:])
    folded = replace(reader, inputs=inputs, options={**reader.options, **options})
    node = Node(with_operators(graph, {position: folded}), folded)
    if definition.violation(node) is not None:
        return None
    return folded if not is_pool or _pixel_in_each_window(node) else None


def _explicit(node: Node, margins: Margins, *, dilated: bool) -> dict[str, str | int] | None:
    """Options for the margins and the padding that the operator has already."""
    if node.option("padding") not in ("SAME", "VALID"):
        return None
    if dilated:
        _, taps_h, taps_w, _ = node.input(1).shape
    else:
        taps_h, taps_w = (integer_option(node, f"filter_{d}") for d in ("height", "width"))
    window = window_of(node, taps_h, taps_w, dilated=dilated)
    (top, bottom), (left, right) = margins
    height, width = window.height, window.width
    return {
        "padding": EXPLICIT,
        "pad_top": top + height.pad_before,
        "pad_bottom": bottom + height.pad_after,
        "pad_left": left + width.pad_before,
        "pad_right": right + width.pad_after,
    }


def _pixel_in_each_window(node: Node) -> bool:
    """Whether no window of a pool lies wholly in the margin."""
    taps_h, taps_w = (integer_option(node, f"filter_{d}") for d in ("height", "width"))
    window = window_of(node, taps_h, taps_w, dilated=False)
    for axis in (window.height, window.width):
        last = (axis.out_size - 1) * axis.stride - axis.pad_before
        if axis.pad_before >= axis.taps or last >= axis.in_size:
            return False
    return True


def apply(graph: Graph) -> Graph:
    """`graph` with pads folded; a PAD that still has readers stays for them."""
    for position, operator in enumerate(graph.operators):
        before = producers(graph).get(operator.inputs[0]) if operator.inputs else None
        if before is not None:
            folded = _fold(graph, position, graph.operators[before])
            if folded is not None:
                graph = with_operators(graph, {position: folded})
    return graph
