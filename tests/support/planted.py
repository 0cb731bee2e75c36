"""Small networks with channels that never change planted in them, and a slow oracle for which.

In: a seed. Out: a network of int8, and, from arithmetic that shares no code with
the analysis (plain Python numbers, position by position, the rounding written
out again), the bounds of every channel.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcucomp.ir import Graph, Operator
from tests.support.models import ModelBuilder

SIZE = 4  # height and width of the images


def rounded_away(value: Fraction) -> int:
    """To the nearest integer, halves away from zero."""
    whole = abs(value) + Fraction(1, 2)
    magnitude = whole.numerator // whole.denominator
    return magnitude if value >= 0 else -magnitude


def requantised(total: int, real: float, zero_point: int) -> int:
    """As the formulas have it: a multiplier of 31 bits, a rounding half up, one half away."""
    fraction, exponent = np.frexp(real)
    multiplier = rounded_away(Fraction(float(fraction)) * 2**31)
    if multiplier == 2**31:
        multiplier, exponent = 2**30, exponent + 1
    assert exponent <= 0
    high = (Fraction(total * multiplier, 2**31) + Fraction(1, 2)).__floor__()
    return rounded_away(Fraction(high, 2 ** -int(exponent))) + zero_point


class Network:
    """A network grown layer by layer, as drawn from `seed`."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.builder = ModelBuilder()
        self.scale, self.zero_point = 0.05, int(self.random.integers(-20, 21))
        channels = int(self.random.integers(2, 5))
        shape = (1, SIZE, SIZE, channels)
        self.tensor = self.builder.input(shape, scale=self.scale, zero_point=self.zero_point)
        self.channels = channels

    def _layer(self, kind: str, shape: tuple[int, ...], axis: int, **options: object) -> int:
        """A layer with a RELU, some of whose outputs the bias pins, or nearly pins, to an end."""
        b, random = self.builder, self.random
        outputs = shape[axis]
        weights = random.integers(-127, 128, shape, dtype=np.int8)
        weights[random.random(shape) < 0.2] = 0
        scales = random.uniform(0.002, 0.01, outputs).tolist()
        reach = np.abs(weights.astype(np.int64)).sum(
            axis=tuple(k for k in range(len(shape)) if k != axis)
        )
        bias = random.integers(-400, 400, outputs)
        for channel in range(outputs):
            # Dead by far, or near the border between dead and alive, on either side of it.
            where = random.integers(6)
            if where == 0:
                bias[channel] = -300 * int(reach[channel]) - 10_000
            elif where == 1:
                bias[channel] = 300 * int(reach[channel]) + 30_000
            elif where == 2:
                share = random.uniform(0.5, 1.5)
                bias[channel] = int(-share * 128 * int(reach[channel]))
        w = b.constant(weights, scales, axis=axis)
        bias_scales = [self.scale * s for s in scales]
        v = b.constant(bias.astype(np.int32), bias_scales)
        out_scale = float(random.uniform(0.02, 0.2))
        zero_point = -128 if random.integers(3) else int(random.integers(-100, 50))
        out_shape = (1, outputs) if kind == "FULLY_CONNECTED" else (1, SIZE, SIZE, outputs)
        made = b.operator(
            kind, (self.tensor, w, v), out_shape, scale=out_scale, zero_point=zero_point,
            fused_activation_function="RELU" if random.integers(4) else "NONE", **options,
        )  # fmt: skip
        self.tensor, self.channels = made, outputs
        self.scale, self.zero_point = float(np.float32(out_scale)), zero_point
        return made

    def convolution(self) -> None:
        taps, outputs = int(self.random.choice([1, 3])), int(self.random.integers(3, 8))
        self._layer(
            "CONV_2D", (outputs, taps, taps, self.channels), 0, padding="SAME", stride_w=1,
            stride_h=1,
        )  # fmt: skip

    def depthwise(self) -> None:
        self._layer(
            "DEPTHWISE_CONV_2D", (1, 3, 3, self.channels), 3, padding="SAME", stride_w=1,
            stride_h=1, depth_multiplier=1,
        )  # fmt: skip

    def pool(self) -> None:
        self.tensor = self.builder.operator(
            "MAX_POOL_2D" if self.random.integers(2) else "AVERAGE_POOL_2D", (self.tensor,),
            (1, SIZE, SIZE, self.channels), scale=self.scale, zero_point=self.zero_point,
            padding="SAME", stride_w=1, stride_h=1, filter_width=2, filter_height=2,
        )  # fmt: skip

    def sum_of_two(self) -> None:
        """Two convolutions of the same input, added."""
        source, scale, zero_point, channels = (
            self.tensor, self.scale, self.zero_point, self.channels,
        )  # fmt: skip
        outputs = int(self.random.integers(3, 6))
        made = []
        for _ in range(2):
            self.tensor, self.scale, self.zero_point, self.channels = (
                source, scale, zero_point, channels,
            )  # fmt: skip
            made.append(
                self._layer(
                    "CONV_2D", (outputs, 1, 1, channels), 0, padding="SAME", stride_w=1, stride_h=1
                )
            )
        self.scale, self.zero_point = 0.3, int(self.random.integers(-128, 100))
        self.tensor = self.builder.operator(
            "ADD", made, (1, SIZE, SIZE, outputs), scale=self.scale, zero_point=self.zero_point
        )
        self.scale = float(np.float32(self.scale))

    def joined(self) -> None:
        """The tensor beside itself after a pool."""
        before, channels = self.tensor, self.channels
        self.pool()
        self.channels = 2 * channels
        self.tensor = self.builder.operator(
            "CONCATENATION", (before, self.tensor), (1, SIZE, SIZE, self.channels),
            scale=self.scale, zero_point=self.zero_point, axis=3,
        )  # fmt: skip

    def classifier(self) -> None:
        flat = SIZE * SIZE * self.channels
        shape = self.builder.constant(np.array([1, flat], np.int32))
        self.tensor = self.builder.operator(
            "RESHAPE", (self.tensor, shape), (1, flat), scale=self.scale,
            zero_point=self.zero_point, new_shape=(1, flat),
        )  # fmt: skip
        self.channels = flat
        self._layer("FULLY_CONNECTED", (3, flat), 0)


def drawn(seed: int) -> ModelBuilder:
    """A network of three to six parts, then perhaps a classifier."""
    network = Network(seed)
    parts = (
        network.convolution, network.depthwise, network.pool, network.sum_of_two, network.joined,
    )  # fmt: skip
    network.convolution()
    for _ in range(int(network.random.integers(2, 5))):
        parts[int(network.random.integers(len(parts)))]()
    if network.random.integers(2):
        network.classifier()
    else:
        network.convolution()
    return network.builder


Bounds = list[tuple[int, int]]


def oracle(graph: Graph) -> dict[int, Bounds]:
    """(lowest, highest) of each channel of the input and of what layers, pools and sums make."""
    found: dict[int, Bounds] = {}
    for index in graph.inputs:
        found[index] = [(-128, 127)] * graph.tensors[index].shape[-1]
    for operator in graph.operators:
        found[operator.outputs[0]] = _ORACLES[operator.kind](graph, operator, found)
    return found


def _values(graph: Graph, index: int) -> np.ndarray:
    tensor = graph.tensors[index]
    dtype = {"int8": np.int8, "int32": np.int32}[tensor.dtype.value]
    return np.frombuffer(tensor.data or b"", dtype).reshape(tensor.shape)


def _layer(graph: Graph, operator: Operator, known: dict[int, Bounds]) -> Bounds:
    source, result = graph.tensors[operator.inputs[0]], graph.tensors[operator.outputs[0]]
    filters, bias = (_values(graph, operator.inputs[k]) for k in (1, 2))
    q, out, w = source.quantization, result.quantization, graph.tensors[operator.inputs[1]]
    assert q is not None
    assert out is not None
    assert w.quantization is not None
    is_depthwise = operator.kind == "DEPTHWISE_CONV_2D"
    bounds = known[source.index]
    lowest = -128
    if operator.options["fused_activation_function"] == "RELU":
        lowest = max(-128, out.zero_points[0])
    found = []
    for o in range(len(bias)):
        real = q.scales[0] * w.quantization.scales[o] / out.scales[0]
        ends = []
        for terms in _windows(filters, o, bounds, is_depthwise=is_depthwise):
            low = high = int(bias[o])
            for weight, (a, b) in terms:
                products = [weight * (a - q.zero_points[0]), weight * (b - q.zero_points[0])]
                low, high = low + min(products), high + max(products)
            ends += [requantised(end, real, out.zero_points[0]) for end in (low, high)]
        clamped = [min(127, max(lowest, end)) for end in ends]
        found.append((min(clamped), max(clamped)))
    return found


Term = tuple[int, tuple[int, int]]


def _windows(
    filters: np.ndarray, output: int, bounds: Bounds, *, is_depthwise: bool
) -> list[list[Term]]:
    """For each position of an output its (weight, bounds of the input) inside the image."""
    if filters.ndim == 2:
        return [
            [(int(filters[output, k]), bounds[k % len(bounds)]) for k in range(filters.shape[1])]
        ]
    taps = filters.shape[1]
    margin = taps // 2
    windows = []
    for y in range(SIZE):
        for x in range(SIZE):
            terms: list[Term] = []
            for ky in range(taps):
                for kx in range(taps):
                    iy, ix = y + ky - margin, x + kx - margin
                    if not (0 <= iy < SIZE and 0 <= ix < SIZE):
                        continue
                    if is_depthwise:
                        terms.append((int(filters[0, ky, kx, output]), bounds[output]))
                    else:
                        terms += [
                            (int(filters[output, ky, kx, c]), bounds[c]) for c in range(len(bounds))
                        ]
            windows.append(terms)
    return windows


def _add(graph: Graph, operator: Operator, known: dict[int, Bounds]) -> Bounds:
    a, b = (graph.tensors[i].quantization for i in operator.inputs)
    out = graph.tensors[operator.outputs[0]].quantization
    assert a is not None
    assert b is not None
    assert out is not None
    twice = 2 * max(a.scales[0], b.scales[0])
    real = twice / (2**20 * out.scales[0])
    found = []
    for first, second in zip(*(known[i] for i in operator.inputs), strict=True):
        ends = []
        for x, y in zip(first, second, strict=True):
            total = requantised((x - a.zero_points[0]) << 20, a.scales[0] / twice, 0)
            total += requantised((y - b.zero_points[0]) << 20, b.scales[0] / twice, 0)
            ends.append(min(127, max(-128, requantised(total, real, out.zero_points[0]))))
        found.append((ends[0], ends[1]))
    return found


def _copied(_graph: Graph, operator: Operator, known: dict[int, Bounds]) -> Bounds:
    return [pair for index in operator.inputs if index in known for pair in known[index]]


def _flattened(graph: Graph, operator: Operator, known: dict[int, Bounds]) -> Bounds:
    bounds = known[operator.inputs[0]]
    return bounds * (graph.tensors[operator.outputs[0]].shape[-1] // len(bounds))


_ORACLES = {
    "ADD": _add,
    "AVERAGE_POOL_2D": _copied,
    "CONCATENATION": _copied,
    "CONV_2D": _layer,
    "DEPTHWISE_CONV_2D": _layer,
    "FULLY_CONNECTED": _layer,
    "MAX_POOL_2D": _copied,
    "RESHAPE": _flattened,
}
