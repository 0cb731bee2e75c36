"""Which inputs does a check run? Seeded ones that reach the model's whole range."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mcucomp.build_directory import BuildDirectory
from mcucomp.errors import InvalidInput
from mcucomp.ir import DType, Graph, Tensor

Array = npt.NDArray[np.generic]

# How far beyond a quantised range floats are drawn, so that clamping is met too.
FLOAT_MARGIN = 1.1


def numpy_dtype(dtype: DType) -> np.dtype[np.generic]:
    """The numpy type of an input's or output's elements, little endian."""
    return np.dtype(dtype.value).newbyteorder("<")


def pattern(graph: Graph) -> list[bytes]:
    """The fixed input: byte i is (37 i + 11) & 0xff; floats are that byte, signed, in the range.

    The same bytes that published measurements of TensorFlow Lite Micro used.
    """
    inputs = []
    for index in graph.inputs:
        tensor = graph.tensors[index]
        if tensor.dtype is DType.FLOAT32:
            low, high = _float_range(graph, tensor)
            steps = (37 * np.arange(tensor.elements) + 11) & 0xFF
            inputs.append((low + (high - low) * steps / 255).astype("<f4").tobytes())
        else:
            steps = (37 * np.arange(tensor.size_bytes) + 11) & 0xFF
            inputs.append(steps.astype(np.uint8).tobytes())
    return inputs


def quantized_inputs(build: BuildDirectory, inputs: Sequence[bytes]) -> list[bytes]:
    """`inputs` as the firmware of `build` takes them.

    Floats that it wants quantised are, as `mcuc_quantize_f32_s8` does it: one float32 division,
    halves away from zero, NaN to the zero point. Inputs of another size are left to be refused.
    """
    encoded = list(inputs)
    for k, (given, described) in enumerate(zip(inputs, build.report["inputs"], strict=False)):
        quantized = described["quantized"]
        if quantized is not None and len(given) == described["bytes"]:
            scale, zero_point = np.float32(quantized["scale"]), quantized["zero_point"]
            with np.errstate(over="ignore", invalid="ignore"):
                ratio = np.frombuffer(given, "<f4") / scale
            near = np.clip(np.nan_to_num(ratio, nan=0.0), -256, 256).astype(np.float64)
            steps = np.sign(near) * np.floor(np.abs(near) + 0.5) + zero_point
            encoded[k] = np.clip(steps, -128, 127).astype(np.int8).tobytes()
    return encoded


def drawn(graph: Graph, count: int, seed: int) -> list[list[bytes]]:
    """`count` inputs drawn with `seed`: uniform integers, floats over the quantised range."""
    generator = np.random.default_rng(seed)
    return [
        [_draw(graph, graph.tensors[index], generator).tobytes() for index in graph.inputs]
        for _ in range(count)
    ]


def _draw(graph: Graph, tensor: Tensor, generator: np.random.Generator) -> Array:
    dtype = numpy_dtype(tensor.dtype)
    if tensor.dtype is DType.FLOAT32:
        low, high = _float_range(graph, tensor)
        return generator.uniform(low, high, tensor.elements).astype(dtype)
    if tensor.dtype is DType.BOOL:
        return generator.integers(0, 2, tensor.elements).astype(np.bool_)
    low, high = _integer_range(dtype)
    return generator.integers(low, high, tensor.elements, endpoint=True).astype(dtype)


def _integer_range(dtype: np.dtype[np.generic]) -> tuple[int, int]:
    """The least and the greatest value of an integer type."""
    bits = 8 * dtype.itemsize
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if dtype.kind == "i" else (0, (1 << bits) - 1)


def _float_range(graph: Graph, tensor: Tensor) -> tuple[float, float]:
    """The floats that the first QUANTIZE of `tensor` can tell apart, and a little more."""
    for operator in graph.operators:
        if operator.kind == "QUANTIZE" and operator.inputs[0] == tensor.index:
            quantized = graph.tensors[operator.outputs[0]]
            if quantized.quantization is not None:
                scale = quantized.quantization.scales[0]
                zero_point = quantized.quantization.zero_points[0]
                low, high = _integer_range(numpy_dtype(quantized.dtype))
                return (
                    FLOAT_MARGIN * scale * (low - zero_point),
                    FLOAT_MARGIN * scale * (high - zero_point),
                )
    return (-1.0, 1.0)


def from_files(graph: Graph, paths: Sequence[Path]) -> list[bytes]:
    """One file an input of the model: raw bytes in its type, or a .npy array of it.

    Raises:
        InvalidInput: the number of files, a type or a size is not the model's.
    """
    return _from_files(graph, graph.inputs, paths, "input")


def expected_from_files(graph: Graph, paths: Sequence[Path]) -> list[bytes]:
    """The same for the outputs that a user expects."""
    return _from_files(graph, graph.outputs, paths, "output")


def _from_files(
    graph: Graph, tensors: Sequence[int], paths: Sequence[Path], what: str
) -> list[bytes]:
    option = "--input" if what == "input" else "--expect"
    if len(paths) != len(tensors):
        raise InvalidInput(
            f"the model has {len(tensors)} {what}s; got {len(paths)} files",
            at=option,
            fix=f"give {option} once for each {what} of the model, in its order",
        )
    return [
        _from_file(graph.tensors[index], path, what)
        for index, path in zip(tensors, paths, strict=True)
    ]


def _from_file(tensor: Tensor, path: Path, what: str) -> bytes:
    dtype = numpy_dtype(tensor.dtype)
    wanted = f"{tensor.elements} {tensor.dtype.value} ({tensor.size_bytes:,} B)"
    try:
        if path.suffix == ".npy":
            array = np.load(path, allow_pickle=False)
            if array.dtype != dtype or array.size != tensor.elements:
                raise InvalidInput(
                    f"holds {array.size} {array.dtype}; the {what} takes {wanted}", at=str(path)
                )
            return np.ascontiguousarray(array).tobytes()
        data = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"cannot be read: {error.strerror}", at=str(path)) from error
    except ValueError as error:
        raise InvalidInput(f"is no .npy array: {error}", at=str(path)) from error
    if len(data) != tensor.size_bytes:
        raise InvalidInput(f"holds {len(data):,} B; the {what} takes {wanted}", at=str(path))
    return data
