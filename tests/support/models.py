"""How does a test make the model it needs?

    b = ModelBuilder()
    x = b.input((1, 8, 8, 3), scale=0.5, zero_point=-1)
    w = b.constant(weights, scales=(0.1, 0.2), axis=0)
    y = b.operator("CONV_2D", (x, w, bias), (1, 8, 8, 2), scale=0.7, padding="SAME",
                   stride_w=1, stride_h=1)
    model, data = b.finish(), b.bytes()

Everything is given and returned by tensor index. A finished model equals the
one that the reader makes from its bytes.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence

import numpy as np

from mcucomp.ir import DType, Graph, Model, Operator, OptionValue, Quantization, Tensor
from mcucomp.tflite import write
from mcucomp.tflite.options import read_options

SOURCE = "test.tflite"
ABSENT = -1  # the index of an optional input that is not there


class ModelBuilder:
    """A model with one graph, grown a tensor and an operator at a time."""

    def __init__(self, source: str = SOURCE) -> None:
        self.source = source
        self.tensors: list[Tensor] = []
        self.operators: list[Operator] = []
        self.inputs: list[int] = []
        self.metadata: dict[str, bytes] = {}

    def tensor(
        self,
        shape: Sequence[int],
        dtype: DType = DType.INT8,
        scale: float | None = None,
        zero_point: int = 0,
        *,
        name: str | None = None,
        is_variable: bool = False,
    ) -> int:
        """An activation, or a variable. Without a scale it is not quantised."""
        quantization = None if scale is None else _quantization((scale,), (zero_point,), 0)
        return self._add(name, dtype, shape, quantization, is_variable=is_variable)

    def input(
        self,
        shape: Sequence[int],
        dtype: DType = DType.INT8,
        scale: float | None = None,
        zero_point: int = 0,
        *,
        name: str | None = None,
    ) -> int:
        """An activation that the graph is given."""
        index = self.tensor(shape, dtype, scale, zero_point, name=name)
        self.inputs.append(index)
        return index

    def constant(
        self,
        values: np.ndarray,
        scales: Sequence[float] = (),
        zero_points: Sequence[int] = (),
        axis: int = 0,
        *,
        name: str | None = None,
    ) -> int:
        """Constant `values`; without scales not quantised, with several of them along `axis`."""
        quantization = None
        if scales:
            quantization = _quantization(scales, zero_points or (0,) * len(scales), axis)
        dtype = DType(values.dtype.name)
        data = np.ascontiguousarray(values).tobytes()
        return self._add(name, dtype, values.shape, quantization, data=data)

    def packed(
        self, values: np.ndarray, scales: Sequence[float], axis: int = 0, *, name: str | None = None
    ) -> int:
        """Constant int4 `values`, two a byte, the low half first."""
        flat = np.append(values.ravel(), [0] * (values.size % 2)).astype(np.uint8) & 15
        data = (flat[0::2] | flat[1::2] << 4).astype(np.uint8).tobytes()
        quantization = _quantization(scales, (0,) * len(scales), axis)
        return self._add(name, DType.INT4, values.shape, quantization, data=data)

    def operator(
        self,
        kind: str,
        inputs: Sequence[int],
        shape: Sequence[int],
        dtype: DType = DType.INT8,
        scale: float | None = None,
        zero_point: int = 0,
        **options: OptionValue,
    ) -> int:
        """An operator with one new output tensor, whose index is returned."""
        output = self.tensor(shape, dtype, scale, zero_point, name=f"out_{len(self.operators)}")
        self.operator_into(kind, inputs, (output,), **options)
        return output

    def operator_into(
        self,
        kind: str,
        inputs: Sequence[int],
        outputs: Sequence[int],
        *,
        version: int = 1,
        custom_code: str = "",
        **options: OptionValue,
    ) -> None:
        """An operator that writes existing tensors. Options left out have the schema's default."""
        self.operators.append(
            Operator(
                index=len(self.operators),
                kind=kind,
                inputs=tuple(inputs),
                outputs=tuple(outputs),
                options={**read_options(kind, None), **options},
                version=version,
                custom_code=custom_code,
            )
        )

    def finish(self, outputs: Sequence[int] | None = None) -> Model:
        """The model. Without `outputs`, they are what operators write and none reads."""
        return model_of(self.graph(outputs), source=self.source, metadata=self.metadata)

    def graph(self, outputs: Sequence[int] | None = None) -> Graph:
        """Its only graph."""
        if outputs is None:
            read = {i for operator in self.operators for i in operator.inputs}
            written = [i for operator in self.operators for i in operator.outputs]
            outputs = [i for i in written if i not in read]
        return Graph(
            "main", tuple(self.tensors), tuple(self.operators), tuple(self.inputs), tuple(outputs)
        )

    def bytes(self, outputs: Sequence[int] | None = None) -> bytes:
        """The finished model as a `.tflite` file."""
        return write(self.finish(outputs))

    def _add(
        self,
        name: str | None,
        dtype: DType,
        shape: Sequence[int],
        quantization: Quantization | None,
        *,
        data: bytes | None = None,
        is_variable: bool = False,
    ) -> int:
        index = len(self.tensors)
        name = f"tensor_{index}" if name is None else name
        size = tuple(int(d) for d in shape)
        self.tensors.append(Tensor(index, name, dtype, size, quantization, data, is_variable))
        return index


def model_of(
    *graphs: Graph, source: str = SOURCE, metadata: dict[str, bytes] | None = None
) -> Model:
    """A model of these graphs, with the hash of the file that it would be."""
    model = Model(source, "", graphs, "", metadata or None)
    return dataclasses.replace(model, sha256=hashlib.sha256(write(model)).hexdigest())


def _quantization(scales: Sequence[float], zero_points: Sequence[int], axis: int) -> Quantization:
    """As a file holds it: scales rounded to float32."""
    exact = tuple(float(np.float32(s)) for s in scales)
    return Quantization(exact, tuple(int(z) for z in zero_points), axis)


def residual_network(seed: int = 0) -> ModelBuilder:
    """A small int8 image classifier with one residual branch and nine operators.

    CONV_2D, DEPTHWISE_CONV_2D, ADD, AVERAGE_POOL_2D, RESHAPE, FULLY_CONNECTED,
    SOFTMAX between QUANTIZE and DEQUANTIZE; weights drawn from `seed`. TFLM runs it.
    """
    random = np.random.default_rng(seed)
    b = ModelBuilder("residual.tflite")

    def weights(shape: Sequence[int], axis: int) -> int:
        values = random.integers(-127, 128, shape, dtype=np.int8)
        return b.constant(values, random.uniform(0.01, 0.02, shape[axis]).tolist(), axis=axis)

    def bias(filters: int, scale: float) -> int:
        channels = b.tensors[filters].quantization
        assert channels is not None
        values = random.integers(-500, 500, len(channels.scales), dtype=np.int32)
        return b.constant(values, [scale * s for s in channels.scales])

    strides: dict[str, OptionValue] = {"stride_w": 1, "stride_h": 1, "padding": "SAME"}
    image = b.input((1, 6, 6, 3), DType.FLOAT32, name="image")
    quantized = b.operator("QUANTIZE", (image,), (1, 6, 6, 3), scale=0.05, zero_point=-3)
    w = weights((4, 3, 3, 3), 0)
    conv = b.operator(
        "CONV_2D", (quantized, w, bias(w, 0.05)), (1, 6, 6, 4), scale=0.1, zero_point=-128,
        fused_activation_function="RELU", **strides,
    )  # fmt: skip
    w = weights((1, 3, 3, 4), 3)
    depthwise = b.operator(
        "DEPTHWISE_CONV_2D", (conv, w, bias(w, 0.1)), (1, 6, 6, 4), scale=0.15, zero_point=5,
        depth_multiplier=1, **strides,
    )  # fmt: skip
    added = b.operator("ADD", (conv, depthwise), (1, 6, 6, 4), scale=0.2, zero_point=-10)
    pooled = b.operator(
        "AVERAGE_POOL_2D", (added,), (1, 3, 3, 4), scale=0.2, zero_point=-10, padding="VALID",
        stride_w=2, stride_h=2, filter_width=2, filter_height=2,
    )  # fmt: skip
    flat_shape = b.constant(np.array([1, 36], np.int32))
    flat = b.operator(
        "RESHAPE", (pooled, flat_shape), (1, 36), scale=0.2, zero_point=-10, new_shape=(1, 36)
    )
    w = b.constant(random.integers(-127, 128, (5, 36), dtype=np.int8), (0.002,))
    b5 = b.constant(random.integers(-500, 500, 5, dtype=np.int32), (0.2 * 0.002,))
    dense = b.operator("FULLY_CONNECTED", (flat, w, b5), (1, 5), scale=0.05, zero_point=7)
    probabilities = b.operator(
        "SOFTMAX", (dense,), (1, 5), scale=1 / 256, zero_point=-128, beta=1.0
    )
    b.operator("DEQUANTIZE", (probabilities,), (1, 5), DType.FLOAT32)
    return b
