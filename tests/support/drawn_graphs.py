"""Random small graphs of operators that TFLM runs, alike in branches, types and shapes.

`draw(seed)` gives a `ModelBuilder` whose graph has some twenty operators on
images of one batch: element by element, windows with and without padding,
views, slices, convolutions, many of which may run in place and many not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mcucomp.ir import DType, Model, Tensor
from tests.support.models import ModelBuilder

_NUMPY = {DType.INT8: np.int8, DType.INT16: np.int16, DType.FLOAT32: np.float32}
_SCALE = {DType.INT8: 0.5, DType.INT16: 0.002, DType.FLOAT32: None}
_MOST_OPERATORS = 20
_MOST_ELEMENTS = 4096


class _Growth:
    """A graph that grows; `live` are tensors that may be read."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.b = ModelBuilder(f"drawn {seed}.tflite")
        self.live: list[int] = []

    def integer(self, low: int, high: int) -> int:
        return int(self.random.integers(low, high + 1))

    def flip(self) -> bool:
        return bool(self.random.random() < 0.5)

    def tensor(self, index: int) -> Tensor:
        return self.b.tensors[index]

    def add(
        self, kind: str, inputs: tuple[int, ...], shape: tuple[int, ...], **given: object
    ) -> None:
        """An operator with a new output of the first input's type, unless `given` says else."""
        before = self.tensor(inputs[0])
        options = {"dtype": before.dtype, "scale": _SCALE[before.dtype], **given}
        self.live.append(self.b.operator(kind, inputs, shape, **options))  # type: ignore[arg-type]

    def pick(self, images: bool = False, dtypes: tuple[DType, ...] = tuple(_NUMPY)) -> int | None:
        """A live tensor, most often a late one."""
        fitting = [
            i
            for i in self.live
            if self.tensor(i).dtype in dtypes and (not images or len(self.tensor(i).shape) == 4)
        ]
        if not fitting:
            return None
        return fitting[-1] if self.flip() else fitting[self.integer(0, len(fitting) - 1)]


def _unary(kind: str, dtypes: tuple[DType, ...], **given: object) -> Callable[[_Growth], None]:
    def grow(g: _Growth) -> None:
        x = g.pick(dtypes=dtypes)
        if x is not None:
            g.add(kind, (x,), g.tensor(x).shape, **given)

    return grow


def _binary(kind: str) -> Callable[[_Growth], None]:
    """Of two tensors of one shape, the same one twice, or with one broadcast."""

    def grow(g: _Growth) -> None:
        x = g.pick()
        if x is None:
            return
        t = g.tensor(x)
        alike = [i for i in g.live if (g.tensor(i).shape, g.tensor(i).dtype) == (t.shape, t.dtype)]
        y = alike[g.integer(0, len(alike) - 1)]
        if g.integer(0, 3) == 0:
            y = _constant(g, t.dtype, (*(1,) * (len(t.shape) - 1), t.shape[-1]))
        pair = (y, x) if g.flip() else (x, y)
        g.add(kind, pair, t.shape)

    return grow


def _constant(g: _Growth, dtype: DType, shape: tuple[int, ...]) -> int:
    values = g.random.normal(0, 20, shape).clip(-100, 100).astype(_NUMPY[dtype])
    scale = _SCALE[dtype]
    return g.b.constant(values, () if scale is None else (scale,))


def _prelu(g: _Growth) -> None:
    x = g.pick(images=True, dtypes=(DType.INT8, DType.FLOAT32))
    if x is not None:
        t = g.tensor(x)
        g.add("PRELU", (x, _constant(g, t.dtype, (1, 1, t.shape[3]))), t.shape)


def _out_size(size: int, window: int, stride: int, padding: str) -> int:
    return -(-(size if padding == "SAME" else size - window + 1) // stride)


def _window(g: _Growth, x: int) -> tuple[dict[str, object], tuple[int, int], tuple[int, int]]:
    """Options, the window's size, and the output's height and width."""
    _, height, width, _ = g.tensor(x).shape
    padding = "VALID" if g.integer(0, 2) else "SAME"
    taps = (g.integer(1, min(3, height)), g.integer(1, min(3, width)))
    stride = (g.integer(1, 2), g.integer(1, 2))
    options: dict[str, object] = {
        "padding": padding,
        "stride_h": stride[0],
        "stride_w": stride[1],
    }
    out = (
        _out_size(height, taps[0], stride[0], padding),
        _out_size(width, taps[1], stride[1], padding),
    )
    return options, taps, out


def _pool(kind: str) -> Callable[[_Growth], None]:
    def grow(g: _Growth) -> None:
        x = g.pick(images=True)
        if x is None:
            return
        options, taps, out = _window(g, x)
        given = {**options, "filter_height": taps[0], "filter_width": taps[1]}
        g.add(kind, (x,), (1, *out, g.tensor(x).shape[3]), **given)

    return grow


def _weights(g: _Growth, dtype: DType, shape: tuple[int, ...], axis: int) -> tuple[int, int]:
    """Filters and a bias for them."""
    count = shape[axis]
    if dtype is DType.FLOAT32:
        filters = g.b.constant(g.random.normal(0, 0.3, shape).astype(np.float32))
        return filters, g.b.constant(np.zeros(count, np.float32))
    scales = g.random.uniform(0.005, 0.02, count).tolist()
    filters = g.b.constant(g.random.integers(-127, 128, shape, dtype=np.int8), scales, axis=axis)
    wide = np.int64 if dtype is DType.INT16 else np.int32
    scale = _SCALE[dtype]
    assert scale is not None
    values = g.random.integers(-500, 500, count).astype(wide)
    return filters, g.b.constant(values, [scale * s for s in scales])


def _depthwise(g: _Growth) -> None:
    x = g.pick(images=True)
    if x is None:
        return
    t, multiplier = g.tensor(x), 2 if g.integer(0, 3) == 0 else 1
    options, taps, out = _window(g, x)
    channels = t.shape[3] * multiplier
    filters, bias = _weights(g, t.dtype, (1, *taps, channels), 3)
    g.add(
        "DEPTHWISE_CONV_2D", (x, filters, bias), (1, *out, channels),
        depth_multiplier=multiplier, **options,
    )  # fmt: skip


def _conv(g: _Growth) -> None:
    x = g.pick(images=True)
    if x is None:
        return
    t, channels = g.tensor(x), g.integer(1, 6)
    options, taps, out = _window(g, x)
    filters, bias = _weights(g, t.dtype, (channels, *taps, t.shape[3]), 0)
    g.add("CONV_2D", (x, filters, bias), (1, *out, channels), **options)


def _transpose_conv(g: _Growth) -> None:
    x = g.pick(images=True)
    if x is None:
        return
    t, channels, stride = g.tensor(x), g.integer(1, 4), g.integer(1, 2)
    shape = (1, t.shape[1] * stride, t.shape[2] * stride, channels)
    if np.prod(shape) > _MOST_ELEMENTS:
        return
    filters, bias = _weights(g, t.dtype, (channels, 2, 2, t.shape[3]), 0)
    size = g.b.constant(np.array(shape, np.int32))
    g.live.append(
        g.b.operator(
            "TRANSPOSE_CONV", (size, filters, x, bias), shape, t.dtype, _SCALE[t.dtype],
            padding="SAME", stride_h=stride, stride_w=stride,
        )
    )  # fmt: skip


def _reshape(g: _Growth) -> None:
    x = g.pick()
    if x is not None:
        elements = g.tensor(x).elements
        shape = (1, elements) if g.flip() else (1, 1, 1, elements)
        g.add("RESHAPE", (x, g.b.constant(np.array(shape, np.int32))), shape, new_shape=shape)


def _squeeze(g: _Growth) -> None:
    x = g.pick(images=True)
    if x is not None:
        shape = g.tensor(x).shape
        g.add("SQUEEZE", (x,), shape[1:], squeeze_dims=(0,))


def _expand(g: _Growth) -> None:
    x = g.pick()
    if x is not None and len(g.tensor(x).shape) < 4:
        axis = g.b.constant(np.array([0], np.int32))
        g.add("EXPAND_DIMS", (x, axis), (1, *g.tensor(x).shape))


def _strided_slice(g: _Growth) -> None:
    x = g.pick(images=True)
    if x is None:
        return
    shape = g.tensor(x).shape
    begin = [0, *(g.integer(0, d - 1) for d in shape[1:])]
    step = [1, *(g.integer(1, 3) for _ in shape[1:])]
    out = tuple(-(-(d - a) // s) for d, a, s in zip(shape, begin, step, strict=True))
    ends = [g.b.constant(np.array(v, np.int32)) for v in (begin, list(shape), step)]
    g.add("STRIDED_SLICE", (x, *ends), out)


def _pad(g: _Growth) -> None:
    x = g.pick(images=True)
    if x is None:
        return
    shape = g.tensor(x).shape
    pads = np.array([(0, 0), (1, g.integer(0, 1)), (g.integer(0, 1), 1), (0, 0)], np.int32)
    out = tuple(int(d + p.sum()) for d, p in zip(shape, pads, strict=True))
    if np.prod(out) <= _MOST_ELEMENTS:
        g.add("PAD", (x, g.b.constant(pads)), out)


def _resized(g: _Growth) -> None:
    x = g.pick(images=True)
    if x is None:
        return
    _, height, width, channels = g.tensor(x).shape
    size = (g.integer(1, 2 * height), g.integer(1, 2 * width))
    name = ("align_corners", "half_pixel_centers")[g.integer(0, 1)]
    if np.prod(size) * channels <= _MOST_ELEMENTS:
        sides = g.b.constant(np.array(size, np.int32))
        g.add("RESIZE_BILINEAR", (x, sides), (1, *size, channels), **{name: True})


def _concatenation(g: _Growth) -> None:
    x = g.pick(images=True)
    if x is None:
        return
    t = g.tensor(x)
    alike = [
        i for i in g.live if g.tensor(i).dtype is t.dtype and g.tensor(i).shape[:-1] == t.shape[:-1]
    ]
    y = alike[g.integer(0, len(alike) - 1)]
    channels = t.shape[-1] + g.tensor(y).shape[-1]
    if t.elements * 2 <= _MOST_ELEMENTS:
        g.add("CONCATENATION", (x, y), (*t.shape[:-1], channels), axis=-1)


def _quantize(g: _Growth) -> None:
    x = g.pick(dtypes=(DType.FLOAT32, DType.INT16))
    if x is not None:
        g.add("QUANTIZE", (x,), g.tensor(x).shape, dtype=DType.INT8, scale=_SCALE[DType.INT8])


def _dequantize(g: _Growth) -> None:
    x = g.pick(dtypes=(DType.INT8,))
    if x is not None:
        g.add("DEQUANTIZE", (x,), g.tensor(x).shape, dtype=DType.FLOAT32, scale=None)


def _mean(g: _Growth) -> None:
    x = g.pick(images=True)
    if x is not None:
        shape = g.tensor(x).shape
        axes = g.b.constant(np.array([1, 2], np.int32))
        g.add("MEAN", (x, axes), (1, 1, 1, shape[3]), keep_dims=True)


def _cumsum(g: _Growth) -> None:
    x = g.pick(dtypes=(DType.INT8, DType.FLOAT32))
    if x is not None:
        shape = g.tensor(x).shape
        axis = g.b.constant(np.array(g.integer(0, len(shape) - 1), np.int32))
        g.add("CUMSUM", (x, axis), shape, exclusive=g.flip(), reverse=g.flip())


_ALL = tuple(_NUMPY)
_BYTES_AND_FLOATS = (DType.INT8, DType.FLOAT32)
_GROWTHS: tuple[Callable[[_Growth], None], ...] = (
    *(_binary(kind) for kind in ("ADD", "SUB", "MUL", "MAXIMUM", "MINIMUM", "SQUARED_DIFFERENCE")),
    *(_unary(kind, _ALL) for kind in ("RELU", "RELU6", "ABS")),
    _unary("LEAKY_RELU", _ALL, alpha=0.2),
    _unary("ELU", _BYTES_AND_FLOATS),
    _unary("HARD_SWISH", _BYTES_AND_FLOATS),
    _unary("LOGISTIC", (DType.INT8,), scale=1 / 256, zero_point=-128),
    _unary("LOGISTIC", (DType.FLOAT32,)),
    _unary("TANH", (DType.INT8,), scale=1 / 128),
    _unary("TANH", (DType.FLOAT32,)),
    _unary("L2_NORMALIZATION", (DType.INT8,), scale=1 / 128),
    _unary("L2_NORMALIZATION", (DType.FLOAT32,)),
    _unary("SOFTMAX", (DType.INT8,), scale=1 / 256, zero_point=-128, beta=1.0),
    _unary("SOFTMAX", (DType.FLOAT32,), beta=1.0),
    _pool("AVERAGE_POOL_2D"), _pool("MAX_POOL_2D"),
    _prelu, _depthwise, _depthwise, _conv, _transpose_conv, _reshape, _squeeze, _expand,
    _strided_slice, _pad, _concatenation, _quantize, _dequantize, _mean, _cumsum,
)  # fmt: skip


def draw(seed: int) -> ModelBuilder:
    """A graph; the same for the same seed. TFLM may refuse it (it has many conditions)."""
    g = _Growth(seed)
    for _ in range(g.integer(1, 2)):
        dtype = _ALL[g.integer(0, len(_ALL) - 1)]
        shape = (1, g.integer(2, 8), g.integer(2, 8), g.integer(1, 4))
        g.live.append(g.b.input(shape, dtype, _SCALE[dtype]))
    for _ in range(g.integer(4, _MOST_OPERATORS)):
        _GROWTHS[g.integer(0, len(_GROWTHS) - 1)](g)
    return g.b


# What can run in rows, and some that cannot.
_IN_ROWS: tuple[Callable[[_Growth], None], ...] = (
    _conv, _conv, _depthwise, _depthwise, _pool("AVERAGE_POOL_2D"), _pool("MAX_POOL_2D"),
    _binary("ADD"), _binary("ADD"), _unary("ABS", (DType.INT8,)), _pad, _concatenation, _mean,
    _reshape, _strided_slice, _resized,
)  # fmt: skip


def draw_images(seed: int, operators: tuple[int, int], heights: tuple[int, int]) -> Model:
    """A model of int8 images whose operators mostly run in rows; bounds are inclusive.

    Its output is the tensor that was added last, so that some operators may be dead.
    """
    g = _Growth(seed)
    shape = (1, g.integer(*heights), g.integer(1, 6), g.integer(1, 4))
    g.live.append(g.b.input(shape, DType.INT8, _SCALE[DType.INT8]))
    for _ in range(g.integer(*operators)):
        _IN_ROWS[g.integer(0, len(_IN_ROWS) - 1)](g)
    return g.b.finish([g.live[-1]])
