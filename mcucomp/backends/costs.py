"""What does a kernel call take, in instructions and in flash?

In: a kernel call. Out: an estimate of the instructions that it executes on a
Cortex-M4, whole or row by row, the bytes of its constants, and of its kernel's code.
Estimates are sums of features of a call (products, tiles, rows, ..), each times a
number that `benchmarks/kernel_costs.py` measured and wrote to `costs.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mcucomp.backends.dsp.convolution import border_pixels
from mcucomp.ops import ConstantArray, KernelCall
from mcucomp.ops.row_types import RowForm, RowMode

TABLE = Path(__file__).parent / "costs.toml"

# What a step in rows takes besides its kernel, which reads a table, finds its rows and counts:
# measured on a Cortex-M4.
STEP_INSTRUCTIONS = 114

Features = dict[str, int]


@cache
def table() -> Mapping[str, Mapping[str, Any]]:
    """`costs.toml`: for each kernel its bytes of code and instructions per feature."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8")) if TABLE.is_file() else {}


def code_bytes(kernels: Iterable[str], *, is_small: bool = False) -> int:
    """Code of all `kernels` in one image, compiled for speed or for size.

    What several of them share counts once; what was not measured counts as 0.
    """
    prefix = "small_code" if is_small else "code"
    own_bytes = 0
    shared: dict[str, int] = {}
    for row in (table().get(kernel, {}) for kernel in set(kernels)):
        shares: dict[str, int] = row.get(f"{prefix}_shared", {})
        own_bytes += int(row.get(f"{prefix}_bytes", 0)) - sum(shares.values())
        shared.update(shares)
    return own_bytes + sum(shared.values())


def constant_bytes(call: KernelCall) -> int:
    """Bytes of the arrays that the call points to."""
    return sum(v.values.nbytes for v in call.params.values() if isinstance(v, ConstantArray))


def instructions(call: KernelCall) -> int:
    """An estimate; 0 for kernels without a measured rival, whose cost decides nothing."""
    if not is_measured(call):
        return 0
    costs = table()[call.kernel]["instructions"]
    total: float = sum(costs[name] * count for name, count in features(call).items())
    return round(total)


def is_measured(call: KernelCall) -> bool:
    """Whether its kernel is in the table."""
    return call.kernel in table()


def instructions_in_rows(form: RowForm) -> int:
    """The same for a call in rows: its kernel once a step, and what calling a step takes."""
    return steps(form) * (STEP_INSTRUCTIONS + instructions(step_call(form)))


def steps(form: RowForm) -> int:
    """How many there are where all rows are needed."""
    if form.mode is RowMode.WINDOW:
        return form.out_rows
    return len({y for y in form.windows[0].rows(0) if 0 <= y < form.windows[0].height})


def step_call(form: RowForm) -> KernelCall:
    """The call of one step."""
    return KernelCall(form.kernel, form.params, reads=(), writes=())


def features(call: KernelCall) -> Features:
    """What the instructions of `call` are made of; every kernel has a call that is always 1."""
    return {"calls": 1, **_FEATURES[call.kernel](call)}


def _sizes(call: KernelCall) -> Mapping[str, int]:
    return {k: v for k, v in call.params.items() if isinstance(v, int)}


def _tiles(outputs: int, size: int = 4) -> int:
    return -(-outputs // size)


def _pixels(sizes: Mapping[str, int]) -> int:
    """Of the output: of images, or of a row of one."""
    return sizes.get("batches", 1) * sizes.get("out_height", 1) * sizes["out_width"]


def _convolution(call: KernelCall) -> Features:
    s = _sizes(call)
    pixels, outputs = _pixels(s), s["groups"] * s["group_out_channels"]
    taps = s["filter_height"] * s["filter_width"]
    return {
        "products": pixels * outputs * taps * s["group_in_channels"],
        "outputs": pixels * outputs,
        "rows": pixels * _tiles(outputs) * s["filter_height"],
        "pixels": pixels,
    }


def _row_of(features_of: Callable[[KernelCall], Features]) -> Callable[[KernelCall], Features]:
    """What a step that adds one input row to sums is made of: filters of one row."""

    def features_of_row(call: KernelCall) -> Features:
        row = {**call.params, "filter_height": 1}
        return features_of(KernelCall(call.kernel, row, call.reads, call.writes))

    return features_of_row


def _pointwise(call: KernelCall) -> Features:
    s = _sizes(call)
    outputs = s["pixels"] * s["out_channels"]
    return {"products": outputs * s["in_channels"], "outputs": outputs, "pixels": s["pixels"]}


def _depthwise(call: KernelCall) -> Features:
    s = _sizes(call)
    outputs = _pixels(s) * s["channels"]
    return {
        "products": outputs * s["filter_height"] * s["filter_width"],
        "rows": outputs * s["filter_height"],
        "outputs": outputs,
        "pixels": _pixels(s),
    }


def _fully_connected(call: KernelCall) -> Features:
    s = _sizes(call)
    outputs = s["rows"] * s["out_channels"]
    return {"products": outputs * s["in_channels"], "outputs": outputs, "rows": s["rows"]}


def _add(call: KernelCall) -> Features:
    return {"outputs": _sizes(call)["size"]}


def _pool(call: KernelCall) -> Features:
    s = _sizes(call)
    outputs = _pixels(s) * s["channels"]
    return {
        "inputs": outputs * s["filter_height"] * s["filter_width"],
        "rows": outputs * s["filter_height"],
        "outputs": outputs,
        "pixels": _pixels(s),
    }


def _dsp_convolution(call: KernelCall) -> Features:
    s = _sizes(call)
    borders = border_pixels(
        (s["out_height"], s["out_width"]),
        (s["in_height"], s["in_width"]),
        (s["stride_h"], s["stride_w"]),
        (s["pad_top"], s["pad_left"]),
        ((s["filter_height"] - 1) * s["dilation_h"] + 1, s["filter_width"]),
    )
    return _dsp_tiles(s, s["batches"] * int(borders.sum()))


def _dsp_convolution_row(call: KernelCall) -> Features:
    s = _sizes(call)
    run_bytes = s["filter_width"] * s["in_channels"]
    last = s["in_width"] - s["filter_width"] - (3 if run_bytes % 4 else 0)
    columns = np.arange(s["out_width"]) * s["stride_w"] - s["pad_left"]
    return _dsp_tiles(s, int(np.count_nonzero((columns < 0) | (columns > last))))


def _dsp_tiles(s: Mapping[str, int], outside: int) -> Features:
    """Pixels two at a time, a last one alone, by four outputs; `outside` of them at a border."""
    pairs, single = divmod(_pixels(s), 2)
    height, row_words = s["filter_height"], _tiles(s["filter_width"] * s["in_channels"])
    outputs = _tiles(s["out_channels"])
    return {
        "fours": pairs * outputs * height * row_words,
        "tiles": pairs * outputs,
        "single_fours": single * outputs * height * row_words,
        "single_tiles": single * outputs,
        "linear_tiles": (pairs + single) * outputs if s["is_linear"] else 0,
        "words": (pairs + single) * height * row_words,
        "rows": (pairs + single) * height,
        "border_rows": outside * height,
        "border_words": outside * height * row_words,
        "pixel_pairs": pairs + single,
    }


def _dsp_winograd(call: KernelCall) -> Features:
    s = _sizes(call)
    blocks = s["batches"] * s["out_height"] // 2 * s["out_width"] // 4
    tiles = blocks * s["out_channels"] // 4
    return {
        "fours": tiles * s["in_channels"] // 4,
        "tiles": tiles,
        "words": blocks * s["in_channels"] // 4,
        "blocks": blocks,
    }


def _dsp_depthwise_3x3(call: KernelCall) -> Features:
    s = _sizes(call)
    images = s["batches"] * s["channels"]
    words = (s["out_width"] + 1) // 2 * s["stride"] + 1
    strips = _tiles(s["out_height"], s["strip_height"])
    row_pairs = strips * _tiles(s["strip_height"], 2)
    blocks = images * row_pairs * (s["out_width"] // 2)
    last = images * row_pairs * (s["out_width"] % 2)
    wide = s["stride"] - 1
    return {
        "blocks": blocks,
        "wide_blocks": wide * blocks,
        "last_blocks": last,
        "columns": images * strips * _tiles(s["out_width"], 2),
        "words": images * s["in_height"] * words,
        "rows": images * s["in_height"],
        "strips": images * strips,
    }


def _dsp_depthwise_3x3_row(call: KernelCall) -> Features:
    s = _sizes(call)
    outputs, wide = s["out_width"] * s["channels"], s["stride"] - 1
    return {"outputs": outputs, "wide_outputs": wide * outputs, "channels": s["channels"]}


def _dsp_depthwise(call: KernelCall) -> Features:
    s = _sizes(call)
    images = s["batches"] * s["channels"]
    pairs = s["filter_width"] // 2 + 1
    rows = images * s["out_height"]
    fours = rows * _tiles(s["out_width"])
    split_rows = images * (
        s["out_height"] * min(s["stride_h"], s["filter_height"]) + s["filter_height"]
    )
    wide = s["stride_w"] - 1
    return {
        "products": fours * s["filter_height"] * pairs,
        "wide_products": wide * fours * s["filter_height"] * pairs,
        "filter_rows": fours * s["filter_height"],
        "wide_filter_rows": wide * fours * s["filter_height"],
        "fours": fours,
        "outputs": rows * s["out_width"],
        "rows": rows,
        "split_rows": split_rows,
        "split_words": split_rows * (s["in_width"] + 1) // 2,
        "pairs": images * s["filter_height"] * pairs,
        "channels": images,
    }


def _dsp_depthwise_1xn(call: KernelCall) -> Features:
    s = _sizes(call)
    images = s["rows"] * s["channels"]
    fours = images * _tiles(s["out_width"])
    pairs = s["taps"] // 2 + 1
    return {
        "products": fours * pairs,
        "fours": fours,
        "words": images * (s["in_width"] + 1) // 2,
        "pairs": images * pairs,
        "channels": images,
    }


def _dsp_fully_connected(call: KernelCall) -> Features:
    s = _sizes(call)
    tiles = s["rows"] * _tiles(s["out_channels"])
    return {"fours": tiles * _tiles(s["in_channels"]), "tiles": tiles, "rows": s["rows"]}


_FEATURES: Mapping[str, Callable[[KernelCall], Features]] = {
    "mcuc_conv_2d_s8": _convolution,
    "mcuc_conv_2d_s8__1x1": _pointwise,
    "mcuc_depthwise_conv_2d_s8": _depthwise,
    "mcuc_fully_connected_s8": _fully_connected,
    "mcuc_add_s8": _add,
    "mcuc_average_pool_2d_s8": _pool,
    "mcuc_max_pool_2d_s8": _pool,
    "mcuc_conv_2d_s8__dsp": _dsp_convolution,
    "mcuc_conv_2d_s8__dsp_winograd": _dsp_winograd,
    "mcuc_depthwise_conv_2d_s8__dsp_3x3": _dsp_depthwise_3x3,
    "mcuc_depthwise_conv_2d_s8__dsp": _dsp_depthwise,
    "mcuc_depthwise_conv_2d_s8__dsp_1xn": _dsp_depthwise_1xn,
    "mcuc_fully_connected_s8__dsp": _dsp_fully_connected,
    "mcuc_add_s8__dsp": _add,
    "mcuc_average_pool_2d_s8__dsp": _pool,
    "mcuc_max_pool_2d_s8__dsp": _pool,
    "mcuc_conv_2d_s8__rows": _convolution,
    "mcuc_conv_2d_s8__row_sums": _row_of(_convolution),
    "mcuc_depthwise_conv_2d_s8__rows": _depthwise,
    "mcuc_average_pool_2d_s8__rows": _pool,
    "mcuc_average_pool_2d_s8__row_sums": _row_of(_pool),
    "mcuc_max_pool_2d_s8__rows": _pool,
    "mcuc_conv_2d_s8__dsp_rows": _dsp_convolution_row,
    "mcuc_depthwise_conv_2d_s8__dsp_3x3_rows": _dsp_depthwise_3x3_row,
}

MEASURED_KERNELS = tuple(_FEATURES)
