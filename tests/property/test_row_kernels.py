"""Every call that runs in rows gives the bytes of the whole call, and keeps its contract.

Shapes, strides, paddings, dilations, scales and values are drawn. Rows lie
anywhere, no two in order. At the clearance a step writes over a row that it
reads and no read meets a byte that was overwritten; one byte less, and some
read does, whatever the data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mcucomp.ir import Graph, Tensor
from mcucomp.ops import KernelCall, Node, registered
from mcucomp.ops.row_forms import ROW_FORMS, row_form
from mcucomp.ops.row_types import RowForm, RowMode, Rows
from tests.property.test_clearances import KINDS as CALLS
from tests.property.test_clearances import Draw, dequantize_bytes
from tests.support import tools
from tests.support.kernel_runner import run_call
from tests.support.models import ModelBuilder
from tests.support.row_runner import RowArena, rows_read, steps

CASES_A_KIND = 40
SEED = 11


def _seen(tensor: Tensor) -> Rows | None:
    """A tensor in rows, as a plan sees it; None for a constant."""
    if tensor.is_constant:
        return None
    height = tensor.shape[1] if len(tensor.shape) == 4 and tensor.shape[0] == 1 else 1
    return Rows(height, tensor.size_bytes // height)


def global_pool(draw: Draw, b: ModelBuilder) -> None:
    height, width, channels = (int(v) for v in draw.integers(2, 20, 3))
    x = b.input((1, height, width, channels), scale=0.1, zero_point=3)
    b.operator("AVERAGE_POOL_2D", (x,), (1, 1, 1, channels), scale=0.1, zero_point=3,
               padding="VALID", stride_h=1, stride_w=1, filter_height=height,
               filter_width=width)  # fmt: skip


def global_mean(draw: Draw, b: ModelBuilder) -> None:
    shape = (1, *(int(v) for v in draw.integers(2, 20, 3)))
    axes = b.constant(np.array([1, 2], np.int32))
    b.operator("MEAN", (b.input(shape, scale=0.1, zero_point=-7), axes), (1, shape[3]),
               scale=float(draw.uniform(0.03, 0.2)), zero_point=5)  # fmt: skip


def one_row(kind: str) -> Callable[[Draw, ModelBuilder], None]:
    """A convolution whose filter is as high as its image, perhaps with a margin."""

    def build(draw: Draw, b: ModelBuilder) -> None:
        height, width, taps = (int(v) for v in draw.integers(2, 9, 3))
        channels, outputs = int(draw.integers(1, 6)), int(draw.integers(1, 6))
        is_same = draw.random() < 0.4
        stride = height if is_same else int(draw.integers(1, 3))
        taps = min(taps, width)
        size = -(-width // stride) if is_same else -(-(width - taps + 1) // stride)
        rows = height + (int(draw.integers(0, 3)) if is_same else 0)
        x = b.input(
            (1, height, width, channels), scale=0.02, zero_point=int(draw.integers(-128, 128))
        )
        is_depthwise = kind == "DEPTHWISE_CONV_2D"
        outputs = channels if is_depthwise else outputs
        shape = (1, rows, taps, channels) if is_depthwise else (outputs, rows, taps, channels)
        weights = b.constant(draw.integers(-127, 128, shape, dtype=np.int8), (0.01,))
        bias = b.constant(draw.integers(-999, 999, outputs, dtype=np.int32), (0.0002,))
        b.operator(kind, (x, weights, bias), (1, 1, size, outputs), scale=0.05, zero_point=-9,
                   padding="SAME" if is_same else "VALID", stride_h=stride, stride_w=stride,
                   **({"depth_multiplier": 1} if is_depthwise else {}))  # fmt: skip

    return build


def dense_image(draw: Draw, b: ModelBuilder) -> None:
    shape = (1, *(int(v) for v in draw.integers(2, 8, 3)))
    count, outputs = int(np.prod(shape)), int(draw.integers(1, 11))
    weights = draw.integers(-127, 128, (outputs, count), dtype=np.int8)
    scales = [0.01] if draw.random() < 0.5 else draw.uniform(0.005, 0.02, outputs).tolist()
    b.operator("FULLY_CONNECTED", (b.input(shape, scale=0.02, zero_point=-3),
               b.constant(weights, scales)), (1, outputs), scale=0.3, zero_point=4)  # fmt: skip


def joined(draw: Draw, b: ModelBuilder) -> None:
    height, width = (int(v) for v in draw.integers(1, 6, 2))
    channels = [int(v) for v in draw.integers(1, 9, int(draw.integers(2, 5)))]
    parts = [b.input((1, height, width, c), scale=0.1) for c in channels]
    b.operator("CONCATENATION", parts, (1, height, width, sum(channels)), scale=0.1, axis=3)


def padded(draw: Draw, b: ModelBuilder) -> None:
    shape = (1, *(int(v) for v in draw.integers(1, 6, 3)))
    margins = np.zeros((4, 2), np.int32)
    margins[1:] = draw.integers(0, 3, (3, 2))
    margins[draw.random(4) < 0.4] = 0
    result = tuple(int(d + m) for d, m in zip(shape, margins.sum(1), strict=True))
    q = {"scale": 0.1, "zero_point": int(draw.integers(-128, 128))}
    b.operator("PAD", (b.input(shape, **q), b.constant(margins)), result, **q)  # type: ignore[arg-type]


def resized(draw: Draw, b: ModelBuilder) -> None:
    shape = (1, *(int(v) for v in draw.integers(1, 9, 3)))
    size = [int(v) for v in draw.integers(1, 17, 2)]
    name = str(draw.choice(["", "align_corners", "half_pixel_centers"]))
    option: dict[str, Any] = {name: True} if name else {}
    x = b.input(shape, scale=0.1)
    b.operator("RESIZE_BILINEAR", (x, b.constant(np.array(size, np.int32))),
               (1, *size, shape[3]), scale=0.1, **option)  # fmt: skip


# What the calls of test_clearances rarely or never are.
KINDS = {
    **{k: v for k, v in CALLS.items() if "int16" not in k and k not in ("SOFTMAX", "RESHAPE")},
    "DEQUANTIZE uint8": dequantize_bytes,
    "AVERAGE_POOL_2D whole": global_pool,
    "MEAN whole": global_mean,
    "CONV_2D one row": one_row("CONV_2D"),
    "DEPTHWISE_CONV_2D one row": one_row("DEPTHWISE_CONV_2D"),
    "FULLY_CONNECTED image": dense_image,
    "CONCATENATION": joined,
    "PAD image": padded,
    "RESIZE_BILINEAR image": resized,
}
# Their output is no row that could lie over one of the input, or it must not.
APART = {
    "AVERAGE_POOL_2D whole", "MEAN", "MEAN whole", "CONV_2D one row", "DEPTHWISE_CONV_2D one row",
    "FULLY_CONNECTED image", "CONCATENATION", "RESIZE_NEAREST_NEIGHBOR",
}  # fmt: skip


def _drawn(kind: str, draw: Draw) -> tuple[KernelCall, RowForm | None, list[np.ndarray], Tensor]:
    """A call, how it runs in rows, its inputs and its output."""
    while True:
        b = ModelBuilder()
        KINDS[kind](draw, b)
        graph = Graph("main", tuple(b.tensors), tuple(b.operators), tuple(b.inputs), ())
        node = Node(graph, graph.operators[0])
        definition = registered()[kind.split()[0]]
        if definition.violation(node) is None:
            break
    call = definition.lower(node)
    inputs = [_values(draw, graph.tensors[i]) for i in call.reads]
    out = graph.tensors[call.writes[0]]
    seen = _seen(out)
    assert seen is not None
    return call, row_form(call, [_seen(graph.tensors[i]) for i in call.reads], seen), inputs, out


def _values(draw: Draw, tensor: Tensor) -> np.ndarray:
    if tensor.dtype.value == "float32":
        return draw.normal(0, 3, tensor.shape).astype(np.float32)
    if tensor.dtype.value == "bool":
        return draw.integers(0, 2, tensor.shape).astype(np.bool_)
    limits = np.iinfo(tensor.dtype.value)
    return draw.integers(limits.min, limits.max, tensor.shape, dtype=limits.dtype, endpoint=True)


def _scattered(draw: Draw, sizes: list[int], from_bytes: int = 0) -> tuple[list[int], int]:
    """Offsets of spans in a drawn order, with gaps; and where they end."""
    offsets, at = [0] * len(sizes), from_bytes
    for k in draw.permutation(len(sizes)).tolist():
        offsets[k] = at
        at += -(-sizes[k] // 4) * 4 + 4 * int(draw.integers(0, 3))
    return offsets, at


def _run(form: RowForm, inputs: list[np.ndarray], draw: Draw) -> tuple[bytes, RowArena]:
    """All steps, every row at an offset of its own; what they write, one behind the other."""
    sizes = [w.row_bytes for w in form.windows for _ in range(w.height)]
    out_rows = form.out_rows if form.mode is RowMode.WINDOW else 1
    sizes += [form.out_row_bytes] * out_rows + [form.scratch_bytes, form.state_bytes]
    offsets, end = _scattered(draw, sizes)
    arena, places, first = RowArena(end), [], 0
    for window, values in zip(form.windows, inputs, strict=True):
        places.append(offsets[first : first + window.height])
        for y, place in enumerate(places[-1]):
            arena.write(place, values.tobytes()[y * window.row_bytes :][: window.row_bytes])
        first += window.height
    outs = offsets[first : first + out_rows]
    for row in steps(form):
        taps = [
            None if y is None else rows[y]
            for rows, read in zip(places, rows_read(form, row), strict=True)
            for y in read
        ]
        out = outs[row] if form.mode is RowMode.WINDOW else outs[0]
        arena.step(form, row, taps, out, offsets[-2], offsets[-1])
    return b"".join(arena.read(out, form.out_row_bytes) for out in outs), arena


def _in_rows() -> list[str]:
    """The kinds of which some calls run in rows; a test below sees that every row form is tried."""
    draw = np.random.default_rng(SEED)
    return [kind for kind in KINDS if any(_drawn(kind, draw)[1] is not None for _ in range(8))]


IN_ROWS = _in_rows()


@pytest.mark.parametrize("kind", IN_ROWS)
def test_rows_are_those_of_the_whole(kind: str) -> None:
    tools.require("gcc")
    draw = np.random.default_rng(SEED)
    ran = 0
    for _ in range(CASES_A_KIND):
        call, form, inputs, out = _drawn(kind, draw)
        if form is None:
            continue
        ran += 1
        (expected,) = run_call(call, inputs, [out.size_bytes])
        found, arena = _run(form, inputs, draw)
        assert arena.clean, (call, form)
        assert found == expected.tobytes(), (call, form)
    assert ran


def _over(
    form: RowForm, values: list[np.ndarray], row: int, at: tuple[int, int], low: int
) -> tuple[bytes, RowArena]:
    """Run step `row`, its output `low` bytes below the tap (window, tap): (output, arena)."""
    read = rows_read(form, row)
    taken = [(k, t) for k, rows in enumerate(read) for t, y in enumerate(rows) if y is not None]
    base = 4096
    out = base - low
    places, end = {at: base}, 2 * base + max(form.out_row_bytes, 4096)
    for tap in taken:
        if tap != at:
            places[tap] = end
            end += form.windows[tap[0]].row_bytes + 4
    arena = RowArena(end + form.scratch_bytes + 4)
    for (k, t), place in places.items():
        y, size = read[k][t], form.windows[k].row_bytes
        assert y is not None
        arena.write(place, values[k].tobytes()[y * size :][:size])
    taps = [places.get((k, t)) for k, rows in enumerate(read) for t in range(len(rows))]
    arena.step(form, row, taps, out, end)
    return arena.read(out, form.out_row_bytes), arena


@pytest.mark.parametrize("kind", [k for k in IN_ROWS if k not in APART])
def test_clearances_within_a_row_are_safe_and_tight(kind: str) -> None:
    tools.require("gcc")
    draw = np.random.default_rng(SEED)
    tight = 0
    for _ in range(CASES_A_KIND):
        call, form, inputs, out = _drawn(kind, draw)
        if form is None or form.mode is RowMode.ACCUMULATE:
            continue
        (expected,) = run_call(call, inputs, [out.size_bytes])
        row = int(draw.integers(0, form.out_rows))
        wanted = expected.tobytes()[row * form.out_row_bytes :][: form.out_row_bytes]
        for k, rows in enumerate(rows_read(form, row)):
            low, inside = (
                form.windows[k].clearance_bytes,
                [t for t, y in enumerate(rows) if y is not None],
            )
            if low is None or not inside:
                continue
            at = (k, int(draw.choice(inside)))
            for distance in (low, low + 1, low + 7):
                found, arena = _over(form, inputs, row, at, distance)
                assert arena.clean, (call, form, distance)
                assert found == wanted
            if -form.windows[k].row_bytes < low - 1 < form.out_row_bytes:
                _, arena = _over(form, inputs, row, at, low - 1)
                tight += arena.stale_reads > 0
                assert not arena.stray_writes
    assert tight


def test_every_row_form_is_tried() -> None:
    draw = np.random.default_rng(SEED)
    tried = {
        call.kernel
        for kind in KINDS
        for call, form, _, _ in (_drawn(kind, draw) for _ in range(40))
        if form is not None
    }
    # Other backends add theirs when they are imported; tests/emulation has those.
    assert tried == {kernel for kernel in ROW_FORMS if "__dsp" not in kernel}
