"""Does any tensor of a model ever hold a value outside its interval?

TensorFlow Lite Micro's own interpreter runs with all tensors preserved; after
each inference every value of every tensor of int8 or int16 that an operator
wrote is compared with what was proven. Inputs are drawn, constant, or climbed
to: changed step by step so that one channel comes nearer to an end of its
interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from tflite_micro import runtime

from mcucomp.check.inputs import drawn, numpy_dtype
from mcucomp.ir import Graph
from mcucomp.values import Values, analyse

ARENA_BYTES = 64 << 20
BLOCKS = 6  # an input is changed in one of so many parts along each of its dimensions

Inputs = Sequence[np.ndarray]


def arrays(graph: Graph, rows: Sequence[bytes]) -> list[np.ndarray]:
    """Inputs given as bytes, in their shapes."""
    tensors = [graph.tensors[i] for i in graph.inputs]
    return [
        np.frombuffer(row, numpy_dtype(t.dtype)).reshape(t.shape)
        for row, t in zip(rows, tensors, strict=True)
    ]


def random_inputs(graph: Graph, count: int, seed: int) -> list[list[np.ndarray]]:
    return [arrays(graph, rows) for rows in drawn(graph, count, seed)]


def constant_inputs(graph: Graph) -> list[list[np.ndarray]]:
    """Everything at the lowest, the highest value of its type, and at 0; floats at +-1000."""
    found = []
    for end in ("min", "max", None):
        row = []
        for index in graph.inputs:
            tensor = graph.tensors[index]
            dtype = numpy_dtype(tensor.dtype)
            limits = {"min": -1000.0, "max": 1000.0}
            value: float = 0 if end is None else limits[end]
            if end is not None and dtype.kind in "iu":
                value = int(getattr(np.iinfo(dtype), end))
            row.append(np.full(tensor.shape, value, dtype))
        found.append(row)
    return found


@dataclass(slots=True)
class Observer:
    """One interpreter for a file; counts what it saw, and what was outside."""

    data: bytes
    graph: Graph
    values: Values = field(init=False)
    seen: int = 0
    outside: list[str] = field(default_factory=list)
    _interpreter: runtime.Interpreter = field(init=False)
    _written: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.values = analyse(self.graph)
        self._interpreter = runtime.Interpreter.from_bytes(
            self.data,
            arena_size=ARENA_BYTES,
            intrepreter_config=runtime.InterpreterConfig.kPreserveAllTensors,
        )
        written = {i for operator in self.graph.operators for i in operator.outputs}
        self._written = sorted(written & set(self.values.tensors))

    def run(self, inputs: Inputs) -> list[bytes]:
        """The outputs for one input; every intermediate value is looked at."""
        for k, values in enumerate(inputs):
            self._interpreter.set_input(values, k)
        self._interpreter.invoke()
        for index in self._written:
            self._look_at(index)
        outputs = range(len(self.graph.outputs))
        return [np.asarray(self._interpreter.get_output(k)).tobytes() for k in outputs]

    def tensor(self, index: int) -> np.ndarray:
        """What a tensor held after the last inference."""
        held = np.asarray(self._interpreter.GetTensor(index, 0)["tensor_data"])
        return held.reshape(self.graph.tensors[index].shape)

    def _look_at(self, index: int) -> None:
        held, bounds = self.tensor(index).astype(np.int64), self.values.tensors[index].interval
        self.seen += held.size
        if (held < bounds.low).any() or (held > bounds.high).any():
            self.outside.append(f"tensor {index} {self.graph.tensors[index].name}")

    def targets(self, count: int, seed: int) -> list[tuple[int, int, bool]]:
        """(tensor, channel, whether upwards), drawn over all that operators write."""
        random = np.random.default_rng(seed)
        found = []
        for _ in range(count if self._written else 0):
            index = int(random.choice(self._written))
            shape = self.graph.tensors[index].shape
            channel = int(random.integers(shape[-1] if shape else 1))
            found.append((index, channel, bool(random.integers(2))))
        return found

    def climb(
        self, target: tuple[int, int, bool], start: Inputs, steps: int, seed: int
    ) -> list[tuple[list[np.ndarray], list[bytes]]]:
        """Every (input, its outputs) on a way that pushes one channel towards an end.

        In the order in which they ran, which matters to models with state.
        """
        random = np.random.default_rng(seed)
        index, channel, is_upwards = target

        def score() -> float:
            channels = (self.graph.tensors[index].shape or (1,))[-1]
            held = self.tensor(index).reshape(-1, channels)[:, channel]
            return float(held.max()) if is_upwards else -float(held.min())

        best = [values.copy() for values in start]
        ran = [(best, self.run(best))]
        highest = score()
        for _ in range(steps):
            tried = [_changed(values, random) for values in best]
            ran.append((tried, self.run(tried)))
            reached = score()
            if reached >= highest:
                best, highest = tried, reached
        return ran


def _changed(values: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A copy with one box at an extreme, or drawn anew."""
    changed = values.copy()
    box = []
    for size in values.shape:
        length = max(1, size // int(random.integers(1, BLOCKS + 1)))
        first = int(random.integers(0, size - length + 1))
        box.append(slice(first, first + length))
    place = tuple(box)
    if values.dtype.kind == "f":
        changed[place] = random.choice([-1000.0, 1000.0])
    elif random.integers(3):
        limits = np.iinfo(values.dtype)
        changed[place] = random.choice([limits.min, limits.max])
    else:
        limits = np.iinfo(values.dtype)
        shape = changed[place].shape
        changed[place] = random.integers(limits.min, limits.max, shape, values.dtype, endpoint=True)
    return changed


def plain_outputs(data: bytes, graph: Graph, inputs: Sequence[Inputs]) -> list[list[bytes]]:
    """What the file of `data` gives for each input, in one interpreter as it is on a device."""
    interpreter = runtime.Interpreter.from_bytes(data, arena_size=ARENA_BYTES)
    found = []
    for row in inputs:
        for k, values in enumerate(row):
            interpreter.set_input(values, k)
        interpreter.invoke()
        outputs = range(len(graph.outputs))
        found.append([np.asarray(interpreter.get_output(k)).tobytes() for k in outputs])
    return found
