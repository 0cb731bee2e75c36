"""Models with state and with control flow, made here.

Each function gives a model that TFLM runs, small enough for any board, whose
answers depend on what the state was and which way the graphs went.
"""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType, Model
from tests.support.models import ModelBuilder, model_of

I8 = {"scale": 0.5, "zero_point": 3}


def handle(b: ModelBuilder, name: str) -> int:
    """A handle of the resource `name`."""
    result = b.tensor((), DType.RESOURCE)
    b.operator_into("VAR_HANDLE", (), (result,), container="", shared_name=name)
    return result


def joined(source: str, *builders: tuple[ModelBuilder, tuple[int, ...]]) -> Model:
    """A model of the graphs that builders hold, each with its outputs."""
    return model_of(*(b.graph(outputs) for b, outputs in builders), source=source)


def ring_buffer() -> Model:
    """The sum of the last three inputs, and the last two; CALL_ONCE fills the buffer.

    A second variable, which nothing sets up, starts as its zero point.
    """
    once = ModelBuilder()
    first = once.constant(np.arange(8, dtype=np.int8).reshape(2, 4), [0.5], [3])
    once.operator_into("ASSIGN_VARIABLE", (handle(once, "last"), first), ())

    b = ModelBuilder()
    x = b.input((1, 4), **I8, name="x")
    b.operator_into("CALL_ONCE", (), (), init_subgraph_index=1)
    last = handle(b, "last")
    before = b.operator("READ_VARIABLE", (last,), (2, 4), **I8)
    rows = b.operator("CONCATENATION", (before, x), (3, 4), **I8, axis=0)
    axis = b.constant(np.array([0], np.int32))
    total = b.operator("SUM", (rows, axis), (1, 4), scale=1.5, zero_point=-1, keep_dims=True)
    begin, size = (b.constant(np.array(n, np.int32)) for n in ((1, 0), (2, 4)))
    kept = b.operator("SLICE", (rows, begin, size), (2, 4), **I8)
    b.operator_into("ASSIGN_VARIABLE", (last, kept), ())

    other = handle(b, "other")
    old = b.operator("READ_VARIABLE", (other,), (1, 4), scale=0.5, zero_point=-7)
    mixed = b.operator("ADD", (old, x), (1, 4), scale=0.5, zero_point=-7)
    b.operator_into("ASSIGN_VARIABLE", (other, mixed), ())
    return joined("ring.tflite", (b, (total, before, old)), (once, ()))


def branches() -> Model:
    """IF with an IF in one branch, branches of very different size, and a constant operand.

    One branch gives out an input and a constant as they are.
    """
    deep = ModelBuilder()
    a = deep.input((4,), DType.FLOAT32)
    wide = deep.operator(
        "MUL", (a, deep.constant(np.float32([[3.0]] * 24))), (24, 4), DType.FLOAT32
    )
    axis = deep.constant(np.array([0], np.int32))
    narrow = deep.operator("SUM", (wide, axis), (4,), DType.FLOAT32, keep_dims=False)

    flat = ModelBuilder()
    c = flat.input((4,), DType.FLOAT32)

    then = ModelBuilder()
    inner = then.input((1,), DType.BOOL)
    x, k = then.input((4,), DType.FLOAT32), then.input((4,), DType.FLOAT32)
    y = then.operator("ADD", (x, k), (4,), DType.FLOAT32)
    z = then.tensor((4,), DType.FLOAT32)
    then.operator_into("IF", (inner, y), (z,), then_subgraph_index=3, else_subgraph_index=4)

    other = ModelBuilder()
    other.input((1,), DType.BOOL)
    _, q = other.input((4,), DType.FLOAT32), other.input((4,), DType.FLOAT32)
    fixed = other.constant(np.float32([9, 8, 7, 6]))

    b = ModelBuilder()
    outer, inner = b.input((1,), DType.BOOL, name="outer"), b.input((1,), DType.BOOL, name="inner")
    x = b.input((4,), DType.FLOAT32, name="x")
    k = b.constant(np.float32([1, -2, 0.5, 100]))
    r, s = b.tensor((4,), DType.FLOAT32), b.tensor((4,), DType.FLOAT32)
    b.operator_into(
        "IF", (outer, inner, x, k), (r, s), then_subgraph_index=1, else_subgraph_index=2
    )
    return joined(
        "branches.tflite",
        (b, (s, r, x)),
        (then, (z, x)),
        (other, (q, fixed)),
        (deep, (narrow,)),
        (flat, (c,)),
    )


def rounds() -> Model:
    """WHILE as often as an input says, values that change places, and state that it updates.

    The handle of the state goes round, too; a WHILE of its own is in the body.
    """
    whole, real = {"dtype": DType.INT32}, {"dtype": DType.FLOAT32}

    def loop_inputs() -> tuple[ModelBuilder, list[int]]:
        b = ModelBuilder()
        shapes = [((1,), whole), ((1,), whole), ((3,), real), ((3,), real)]
        return b, [b.input(shape, **kind) for shape, kind in shapes] + [b.input((), DType.RESOURCE)]

    condition, (i, n, *_) = loop_inputs()
    goes_on = condition.operator("LESS", (i, n), (1,), DType.BOOL)

    body, (i, n, x, y, state) = loop_inputs()
    one = body.constant(np.array([1], np.int32))
    following = body.operator("ADD", (i, one), (1,), **whole)
    half = body.operator("MUL", (x, body.constant(np.float32([0.5]))), (3,), **real)
    old = body.operator("READ_VARIABLE", (state,), (3,), **real)
    new = body.operator("ADD", (old, half), (3,), **real)
    body.operator_into("ASSIGN_VARIABLE", (state, new), ())
    inner = [body.tensor((3,), **real), body.tensor((1,), **whole)]
    body.operator_into("WHILE", (y, i), inner, cond_subgraph_index=3, body_subgraph_index=4)

    few = ModelBuilder()
    few.input((3,), **real)
    j = few.input((1,), **whole)
    is_few = few.operator("LESS", (j, few.constant(np.array([2], np.int32))), (1,), DType.BOOL)

    more = ModelBuilder()
    v, j = more.input((3,), **real), more.input((1,), **whole)
    w = more.operator("ADD", (v, v), (3,), **real)
    next_j = more.operator("ADD", (j, more.constant(np.array([1], np.int32))), (1,), **whole)

    b = ModelBuilder()
    count = b.input((1,), DType.INT8, name="count")
    x, y = b.input((3,), **real, name="x"), b.input((3,), **real, name="y")
    state = handle(b, "sum")
    zero = b.constant(np.array([0], np.int32))
    n = b.operator("CAST", (count,), (1,), **whole)
    old = b.operator("READ_VARIABLE", (state,), (3,), **real)
    b.operator_into("ASSIGN_VARIABLE", (state, old), ())
    shapes = [((1,), whole), ((1,), whole), ((3,), real), ((3,), real)]
    results = [b.tensor(shape, **kind) for shape, kind in shapes] + [b.tensor((), DType.RESOURCE)]
    b.operator_into(
        "WHILE", (zero, n, x, y, state), results, cond_subgraph_index=1, body_subgraph_index=2
    )
    now = b.operator("READ_VARIABLE", (results[4],), (3,), **real)
    return joined(
        "rounds.tflite",
        (b, (results[0], results[3], now, results[2])),
        (condition, (goes_on,)),
        (body, (following, n_of(body), inner[0], half, state_of(body))),
        (few, (is_few,)),
        (more, (w, next_j)),
    )


def n_of(body: ModelBuilder) -> int:
    """The input of a loop's body that says how often; it goes round as it is."""
    return body.inputs[1]


def state_of(body: ModelBuilder) -> int:
    """Its input that is a handle."""
    return body.inputs[4]


def kept_outputs() -> Model:
    """Outputs that no operator writes: a constant, an input, and both twice."""
    b = ModelBuilder()
    x = b.input((3,), **I8, name="x")
    fixed = b.constant(np.array([7, -8, 9], np.int8), [0.5], [3])
    y = b.operator("ADD", (x, fixed), (3,), **I8)
    return joined("kept.tflite", (b, (fixed, x, y, fixed, x)))


def costly_start() -> Model:
    """CALL_ONCE needs more arena than all that follows."""
    once = ModelBuilder()
    parts = [once.constant(np.arange(k, k + 32, dtype=np.int8), [0.5], [3]) for k in (0, 32)]
    whole = once.operator("ADD", parts, (32,), **I8)
    begin, size = (once.constant(np.array([n], np.int32)) for n in (3, 8))
    first = once.operator("SLICE", (whole, begin, size), (8,), **I8)
    once.operator_into("ASSIGN_VARIABLE", (handle(once, "bias"), first), ())

    b = ModelBuilder()
    x = b.input((8, 8), **I8, name="x")
    b.operator_into("CALL_ONCE", (), (), init_subgraph_index=1)
    bias = b.operator("READ_VARIABLE", (handle(b, "bias"),), (8,), **I8)
    y = b.operator("ADD", (x, bias), (8, 8), **I8)
    return joined("start.tflite", (b, (y,)), (once, ()))


def float_memory() -> Model:
    """The float input of the step before; nothing but an operator without outputs reads it."""
    b = ModelBuilder()
    x, last = b.input((3,), DType.FLOAT32, name="x"), handle(b, "last")
    before = b.operator("READ_VARIABLE", (last,), (3,), DType.FLOAT32)
    b.operator_into("ASSIGN_VARIABLE", (last, x), ())
    return joined("memory.tflite", (b, (before,)))


MODELS = {
    "ring": ring_buffer,
    "branches": branches,
    "rounds": rounds,
    "kept": kept_outputs,
    "start": costly_start,
    "memory": float_memory,
}
