"""Which int8 model computes what the network does?

In: a trained `Network` and images to calibrate on. Out: an `ir.Model` in TFLite's
int8 scheme (the "quantization specification" of its documentation): weights
symmetric, a scale for each output channel of a convolution; activations with a
zero point, their ranges taken from what the calibration images bring about;
biases int32 with the product of both scales.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from data import CLASSES, IMAGE_SIZE, INPUT_QUANTIZATION, Images
from network import FEATURES, POOL, Layer, Network

from mcucomp.ir import DType, Graph, Model, Operator, OptionValue, Quantization, Tensor

# TFLite's softmax has this output and no other.
PROBABILITY_QUANTIZATION = Quantization(scales=(1 / 256,), zero_points=(-128,))


def activation_quantization(values: npt.NDArray[np.float32]) -> Quantization:
    """The int8 codes spread over the range of `values`, zero being one of them exactly."""
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    scale = float(np.float32((high - low) / 255))
    return Quantization(scales=(scale,), zero_points=(round(-128 - low / scale),))


def quantise_weights(
    weights: npt.NDArray[np.float32], axis: int | None
) -> tuple[npt.NDArray[np.int8], Quantization]:
    """Codes -127 to 127 and their scales: one for each index along `axis`, or one in all."""
    others = tuple(i for i in range(weights.ndim) if i != axis)
    scales = (np.abs(weights).max(axis=others, keepdims=True) / 127).astype(np.float32)
    stored = np.rint(weights / scales.astype(np.float64)).astype(np.int8)
    found = tuple(float(s) for s in scales.ravel())
    return stored, Quantization(found, (0,) * len(found), axis or 0)


@dataclass(frozen=True, slots=True)
class Activation:
    """What the file says about an activation: its shape, for one image, and its codes."""

    shape: tuple[int, ...]
    quantization: Quantization


def activations(network: Network, calibration: Images) -> dict[str, Activation]:
    """Every activation of the int8 model by name."""
    found = {
        name: Activation((1, *values.shape[1:]), activation_quantization(values))
        for name, values in network.forward(calibration).items()
    }
    # Pooling and reshaping do not requantise.
    kept = found["down"].quantization
    return {
        **found,
        "image": Activation((1, IMAGE_SIZE, IMAGE_SIZE, 1), INPUT_QUANTIZATION),
        "pool": Activation(found["pool"].shape, kept),
        "features": Activation((1, FEATURES), kept),
        "probabilities": Activation((1, CLASSES), PROBABILITY_QUANTIZATION),
    }


class _GraphWriter:
    """Collects tensors and operators; each method returns the index of what it added."""

    def __init__(self, activations: Mapping[str, Activation]):
        self._activations = activations
        self.tensors: list[Tensor] = []
        self.operators: list[Operator] = []

    def activation(self, name: str) -> int:
        activation = self._activations[name]
        return self._add(name, DType.INT8, activation.shape, activation.quantization)

    def constant(
        self, name: str, values: npt.NDArray[Any], quantization: Quantization | None = None
    ) -> int:
        data = values.astype(values.dtype.newbyteorder("<")).tobytes()
        return self._add(name, DType(values.dtype.name), values.shape, quantization, data)

    def operator(
        self, kind: str, version: int, inputs: tuple[int, ...], output: str, **options: OptionValue
    ) -> int:
        """Add an operator whose output is the activation `output`; returns that one's index."""
        index = self.activation(output)
        position = len(self.operators)
        self.operators.append(Operator(position, kind, inputs, (index,), options, version))
        return index

    def layer(
        self,
        kind: str,
        version: int,
        source: int,
        layer: Layer,
        output: str,
        *,
        axis: int | None,
        **options: OptionValue,
    ) -> int:
        """An operator with weights and biases; `axis` as in `quantise_weights`."""
        weights, by_channel = quantise_weights(layer.weights, axis)
        (source_scale,) = self._activations[self.tensors[source].name].quantization.scales
        scales = tuple(float(np.float32(source_scale * scale)) for scale in by_channel.scales)
        biases = np.rint(layer.biases / np.array(scales)).astype(np.int32)
        constants = (
            self.constant(f"{output}/weights", weights, by_channel),
            self.constant(f"{output}/biases", biases, Quantization(scales, (0,) * len(scales))),
        )
        return self.operator(kind, version, (source, *constants), output, **options)

    def _add(
        self,
        name: str,
        dtype: DType,
        shape: tuple[int, ...],
        quantization: Quantization | None,
        data: bytes | None = None,
    ) -> int:
        index = len(self.tensors)
        self.tensors.append(Tensor(index, name, dtype, shape, quantization, data))
        return index


def _window(stride: int) -> dict[str, Any]:
    return {
        "padding": "SAME",
        "stride_w": stride,
        "stride_h": stride,
        "dilation_w_factor": 1,
        "dilation_h_factor": 1,
    }


def quantise(network: Network, calibration: Images) -> Model:
    """`network` as an int8 model; activations get the ranges that `calibration` brings about."""
    relu: dict[str, Any] = {"fused_activation_function": "RELU"}
    linear: dict[str, Any] = {"fused_activation_function": "NONE"}
    pooling: dict[str, Any] = {"padding": "VALID", "stride_w": POOL, "stride_h": POOL}
    pooling |= {"filter_width": POOL, "filter_height": POOL}

    graph = _GraphWriter(activations(network, calibration))
    conv = partial(graph.layer, "CONV_2D", 3, axis=0)
    depthwise_conv = partial(graph.layer, "DEPTHWISE_CONV_2D", 3, axis=3, depth_multiplier=1)
    fully_connected = partial(graph.layer, "FULLY_CONNECTED", 4, axis=None, keep_num_dims=False)

    image = graph.activation("image")
    stem = conv(image, network.stem, "stem", **_window(1), **relu)
    depthwise = depthwise_conv(stem, network.depthwise, "depthwise", **_window(1), **relu)
    pointwise = conv(depthwise, network.pointwise, "pointwise", **_window(1), **linear)
    total = graph.operator("ADD", 2, (stem, pointwise), "sum", **relu)
    down = conv(total, network.down, "down", **_window(2), **relu)
    pool = graph.operator("AVERAGE_POOL_2D", 2, (down,), "pool", **pooling, **linear)
    shape = graph.constant("features/shape", np.array([1, FEATURES], np.int32))
    features = graph.operator("RESHAPE", 1, (pool, shape), "features", new_shape=(1, FEATURES))
    logits = fully_connected(
        features, network.classifier, "logits", weights_format="DEFAULT", **linear
    )
    probabilities = graph.operator("SOFTMAX", 2, (logits,), "probabilities", beta=1.0)

    main = Graph(
        name="main",
        tensors=tuple(graph.tensors),
        operators=tuple(graph.operators),
        inputs=(image,),
        outputs=(probabilities,),
    )
    return Model(
        source="digits.tflite", sha256="", graphs=(main,), description="8x8 handwritten digits"
    )
