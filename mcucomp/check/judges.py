"""Who says which outputs are right?

TensorFlow Lite Micro itself, where it runs the model. Custom operators that it
does not have are computed by their users' references, and everything between
them by TFLM, piece by piece. Or the user says what is expected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from mcucomp import tflite
from mcucomp.check import reference
from mcucomp.check.inputs import numpy_dtype
from mcucomp.errors import InvalidInput, ToolFailed, printable
from mcucomp.ir import Graph, Model, Operator

Array = np.ndarray[Any, np.dtype[Any]]
# Computes a use of a custom operator from its inputs' values.
Computing = Callable[[Graph, Operator, Sequence[Array]], Sequence[Array]]
Row = Sequence[bytes]

_CUSTOM = "CUSTOM"


class Judge(Protocol):
    """Knows right outputs. `whose` names them in sentences: "equal to ..."."""

    @property
    def whose(self) -> str: ...

    def outputs(self, inputs: Sequence[Row], sequence: int = 1) -> list[list[bytes]]:
        """Every output of the graph for each of `inputs`, raw bytes.

        Each `sequence` of them follow each other, which a model with state notices.
        """

    def tensors(self, rows: Sequence[Row]) -> dict[int, bytes] | None:
        """Every tensor that an operator writes in the last of `rows`, which follow each other.

        By index; None where only outputs are known.
        """


@dataclass(frozen=True, slots=True)
class Tflm:
    """TensorFlow Lite Micro runs the whole model."""

    model: bytes
    graph: Graph
    whose: str = "TensorFlow Lite Micro's"

    def outputs(self, inputs: Sequence[Row], sequence: int = 1) -> list[list[bytes]]:
        try:
            return reference.outputs(self.model, self.graph, inputs, sequence)
        except ToolFailed as error:
            customs = [op for op in self.graph.operators if op.kind == _CUSTOM]
            if customs and any("op code CUSTOM" in line for line in error.details):
                raise _without_reference(customs) from error
            raise

    def tensors(self, rows: Sequence[Row]) -> dict[int, bytes] | None:
        return reference.tensors(self.model, self.graph, rows)


@dataclass(frozen=True, slots=True)
class Expected:
    """The user gives the outputs of the only input that is run."""

    given: Row
    whose: str = "the expected ones"

    def outputs(self, inputs: Sequence[Row], sequence: int = 1) -> list[list[bytes]]:
        assert len(inputs) == 1
        return [list(self.given)]

    def tensors(self, rows: Sequence[Row]) -> dict[int, bytes] | None:
        return None


@dataclass(frozen=True, slots=True)
class Pieces:
    """TensorFlow Lite Micro, and for the custom operators of `computing` their references.

    For graphs without state: each inference is judged by itself.
    """

    graph: Graph
    computing: Mapping[str, Computing]
    whose: str = "TensorFlow Lite Micro's and the custom operators' references"

    def outputs(self, inputs: Sequence[Row], sequence: int = 1) -> list[list[bytes]]:
        rows = self._computed(inputs)
        return [[values[i] for i in self.graph.outputs] for values in rows]

    def tensors(self, rows: Sequence[Row]) -> dict[int, bytes] | None:
        return self._computed(rows[-1:])[0]

    def _computed(self, inputs: Sequence[Row]) -> list[dict[int, bytes]]:
        """Every tensor's bytes for each of `inputs`."""
        rows = [dict(zip(self.graph.inputs, row, strict=True)) for row in inputs]
        for piece in self._pieces():
            if self._is_computed(piece[0]):
                for values in rows:
                    self._compute(piece[0], values)
            else:
                self._let_run(piece, rows)
        return rows

    def _pieces(self) -> Iterator[list[Operator]]:
        """Operators in their order: those that TFLM runs together, each custom one by itself."""
        run: list[Operator] = []
        for operator in self.graph.operators:
            if not self._is_computed(operator):
                run.append(operator)
                continue
            if run:
                yield run
            yield [operator]
            run = []
        if run:
            yield run

    def _is_computed(self, operator: Operator) -> bool:
        return operator.kind == _CUSTOM and operator.custom_code in self.computing

    def _compute(self, operator: Operator, values: dict[int, bytes]) -> None:
        tensors = [self.graph.tensors[i] for i in operator.inputs if i >= 0]
        arrays = [
            np.frombuffer(t.data or values[t.index], numpy_dtype(t.dtype)).reshape(t.shape)
            for t in tensors
        ]
        outputs = self.computing[operator.custom_code](self.graph, operator, arrays)
        for index, output in zip(operator.outputs, outputs, strict=True):
            values[index] = np.ascontiguousarray(output).tobytes()

    def _let_run(self, piece: Sequence[Operator], rows: Sequence[dict[int, bytes]]) -> None:
        """A model of these operators alone, all of whose tensors are outputs."""
        written = [i for operator in piece for i in operator.outputs]
        read = {i for operator in piece for i in operator.inputs if i >= 0}
        given = sorted(i for i in read - set(written) if not self.graph.tensors[i].is_constant)
        graph = replace(
            self.graph,
            operators=tuple(replace(operator, index=k) for k, operator in enumerate(piece)),
            inputs=tuple(given),
            outputs=tuple(written),
        )
        data = tflite.write(Model("piece", "", (graph,)))
        found = reference.outputs(data, graph, [[values[i] for i in given] for values in rows])
        for values, outputs in zip(rows, found, strict=True):
            values.update(zip(written, outputs, strict=True))


def judge_of(
    model: bytes,
    graph: Graph,
    computing: Mapping[str, Computing],
    defined: Sequence[str] = (),
    expected: Row | None = None,
    *,
    has_state: bool = False,
) -> Judge:
    """Who judges a model: the user's outputs, pieces where operators are computed, else TFLM.

    `defined` are the custom operators that the user has compiled in, which TFLM
    does not have.

    Raises:
        InvalidInput: no outputs are given, and one of them has no reference, or the model
            keeps state, which pieces of it would not share.
    """
    if expected is not None:
        return Expected(expected)
    own = [op for op in graph.operators if op.kind == _CUSTOM and op.custom_code in defined]
    silent = [op for op in own if op.custom_code not in computing]
    if silent:
        raise _without_reference(silent)
    if own and has_state:
        raise InvalidInput(
            "a model with state and custom operators cannot be judged in pieces",
            at="mcucomp check",
            fix="give the outputs that you expect, --input FILE and --expect FILE",
        )
    return Pieces(graph, computing) if own else Tflm(model, graph)


def _without_reference(operators: Sequence[Operator]) -> InvalidInput:
    return InvalidInput(
        "operators that TensorFlow Lite Micro does not have cannot be compared with it",
        at="mcucomp check",
        details=[f"operator {op.index} {printable(op.custom_code)}" for op in operators],
        fix="give their definition with a reference, --custom FILE, or the outputs that you"
        " expect, --input FILE and --expect FILE",
    )
