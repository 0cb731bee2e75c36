"""IF, WHILE and CALL_ONCE, drawn: many of one type in a model, which is built and run as a whole.

Generated code runs the graphs, so there is no kernel to call; a build takes a
second, and twenty uses in one model as long as one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from mcucomp import build_directory, check, pipeline
from mcucomp.ir import DType
from mcucomp.tflite import write
from tests.oracle import counted
from tests.oracle.cases import Draw
from tests.support import tools
from tests.support.models import ModelBuilder
from tests.support.reference import tflm_sequence
from tests.support.state_models import handle, joined

# Values are copied as bytes: a type of each width.
TYPES = (DType.FLOAT32, DType.INT8, DType.INT16)
USES, STEPS = 20, 4
each_type = pytest.mark.parametrize("dtype", TYPES, ids=lambda d: d.value)


class Graphs:
    """A main graph, and those that its operators run."""

    def __init__(self, dtype: DType) -> None:
        self.draw, self.dtype = Draw(TYPES.index(dtype)), dtype
        self.main, self.called = ModelBuilder(), list[tuple[ModelBuilder, tuple[int, ...]]]()
        self.outputs: list[int] = []

    def tensor(self, b: ModelBuilder, shape: Sequence[int]) -> int:
        return b.tensor(shape, self.dtype, *self.quantization())

    def input(self, b: ModelBuilder, shape: Sequence[int]) -> int:
        return b.input(shape, self.dtype, *self.quantization())

    def constant(self, b: ModelBuilder, shape: Sequence[int]) -> int:
        scale, *zero_point = self.quantization() or (None,)
        values = self.draw.values(self.dtype, shape)
        return b.constant(values, () if scale is None else (scale,), zero_point)

    def graph(self, make: Callable[[ModelBuilder], tuple[int, ...]]) -> int:
        """The number of a new graph, whose inputs `make` adds and whose outputs it gives."""
        b = ModelBuilder()
        self.called.append((b, make(b)))
        return len(self.called)

    def changed(self, b: ModelBuilder, x: int, y: int, shape: Sequence[int]) -> int:
        """One of `x` and `y`, a constant, or what is made of one or both."""
        kind = self.draw.integer(0, 4)
        if kind <= 1:
            return (x, y)[kind]
        if kind == 2:
            return self.constant(b, shape)
        other = y if kind == 3 else self.constant(b, shape)
        return b.operator("MAXIMUM", (x, other), shape, self.dtype, *self.quantization())

    def assert_as_tflm(self, folder: Path) -> None:
        """A build gives TFLM's bytes in a sequence of inferences."""
        tools.require("gcc", "tflite_micro")
        model = joined("control.tflite", (self.main, tuple(self.outputs)), *self.called)
        graph, path = model.graphs[0], folder / "control.tflite"
        path.write_bytes(write(model))
        tensors = [graph.tensors[i] for i in graph.inputs]
        steps = [[self.draw.values(t.dtype, t.shape) for t in tensors] for _ in range(STEPS)]
        wanted = tflm_sequence(path.read_bytes(), steps, len(graph.outputs))
        pipeline.build(path, "host", folder / "out", pipeline.Options())
        with check.session(build_directory.load(folder / "out")) as session:
            runs = session.infer_sequence([[x.tobytes() for x in row] for row in steps])
        assert [list(run.outputs) for run in runs] == [[y.tobytes() for y in row] for row in wanted]
        counted.count(graph)

    def quantization(self) -> tuple[float, int] | tuple[()]:
        if self.dtype is DType.INT8:
            return (0.5, 3)
        return (0.5, 0) if self.dtype is DType.INT16 else ()


@each_type
def test_if(dtype: DType, tmp_path: Path) -> None:
    g = Graphs(dtype)
    conditions = [g.main.input((1,), DType.BOOL) for _ in range(3)]
    for _ in range(USES):
        shape = g.draw.shape(0, 3, 3)

        def branch(b: ModelBuilder, shape: tuple[int, ...] = shape) -> tuple[int, ...]:
            x, y = g.input(b, shape), g.input(b, shape)
            return g.changed(b, x, y, shape), g.changed(b, y, x, shape)

        condition = g.draw.one_of(*conditions)
        operands = [g.input(g.main, shape), g.draw.one_of(g.input, g.constant)(g.main, shape)]
        results = [g.tensor(g.main, shape) for _ in range(2)]
        then = g.graph(branch)
        otherwise = then if g.draw.integer(0, 9) == 0 else g.graph(branch)
        g.main.operator_into(
            "IF", (condition, *operands), results,
            then_subgraph_index=then, else_subgraph_index=otherwise,
        )  # fmt: skip
        g.outputs += results
    g.assert_as_tflm(tmp_path)


@each_type
def test_while(dtype: DType, tmp_path: Path) -> None:
    g = Graphs(dtype)
    for _ in range(USES):
        shape, limit = g.draw.shape(0, 3, 3), g.draw.integer(0, 4)

        def loop_inputs(b: ModelBuilder, shape: tuple[int, ...] = shape) -> tuple[int, int, int]:
            return b.input((1,), DType.INT32), g.input(b, shape), g.input(b, shape)

        def condition(b: ModelBuilder, limit: int = limit) -> tuple[int, ...]:
            count, _, _ = loop_inputs(b)
            most = b.constant(np.array([limit], np.int32))
            return (b.operator("LESS", (count, most), (1,), DType.BOOL),)

        def body(b: ModelBuilder, shape: tuple[int, ...] = shape) -> tuple[int, ...]:
            count, x, y = loop_inputs(b)
            one = b.constant(np.array([1], np.int32))
            after = b.operator("ADD", (count, one), (1,), DType.INT32)
            return after, g.changed(b, y, x, shape), g.changed(b, x, y, shape)

        start = g.main.constant(np.array([g.draw.integer(-1, 2)], np.int32))
        operands = (start, g.input(g.main, shape), g.input(g.main, shape))
        results = [g.main.tensor((1,), DType.INT32), *(g.tensor(g.main, shape) for _ in range(2))]
        called = g.graph(condition), g.graph(body)
        g.main.operator_into(
            "WHILE", operands, results,
            cond_subgraph_index=called[0], body_subgraph_index=called[1],
        )  # fmt: skip
        g.outputs += results
    g.assert_as_tflm(tmp_path)


@each_type
def test_call_once(dtype: DType, tmp_path: Path) -> None:
    """Each sets a variable of its own, some of them another one again."""
    g = Graphs(dtype)
    shapes = [g.draw.shape(0, 3, 3) for _ in range(USES)]
    for use in range(USES):

        def once(b: ModelBuilder, use: int = use) -> tuple[int, ...]:
            for k in {use, g.draw.integer(0, use)}:
                value = g.constant(b, shapes[k])
                b.operator_into("ASSIGN_VARIABLE", (handle(b, f"v{k}"), value), ())
            return ()

        g.main.operator_into("CALL_ONCE", (), (), init_subgraph_index=g.graph(once))
    for use, shape in enumerate(shapes):
        variable = handle(g.main, f"v{use}")
        held = g.main.operator("READ_VARIABLE", (variable,), shape, dtype, *g.quantization())
        g.outputs.append(held)
        if g.draw.integer(0, 1):
            g.main.operator_into("ASSIGN_VARIABLE", (variable, g.input(g.main, shape)), ())
    g.assert_as_tflm(tmp_path)
