"""Operators that share state keep the file's order; all others are free."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.tflm.state import precedence
from tests.support.models import ModelBuilder


def _resource(b: ModelBuilder, name: str) -> int:
    return b.operator("VAR_HANDLE", (), (), DType.RESOURCE, container="", shared_name=name)


def test_reads_commute_and_assignments_do_not() -> None:
    b = ModelBuilder()
    x = b.input((1, 4), DType.FLOAT32)
    a, other = _resource(b, "a"), _resource(b, "b")
    b.operator("READ_VARIABLE", (a,), (1, 4), DType.FLOAT32)
    b.operator("READ_VARIABLE", (a,), (1, 4), DType.FLOAT32)
    b.operator_into("ASSIGN_VARIABLE", (a, x), ())
    b.operator_into("ASSIGN_VARIABLE", (other, x), ())
    assert precedence(b.finish(), 0) == ((2, 4), (3, 4))


def test_users_of_a_variable_keep_their_order() -> None:
    b = ModelBuilder()
    x = b.input((1, 4))
    state = b.tensor((1, 4), is_variable=True)
    for _ in range(2):
        b.operator("ADD", (x, state), (1, 4))
    b.operator("RELU", (x,), (1, 4))
    assert precedence(b.finish(), 0) == ((0, 1),)


def test_nothing_crosses_a_custom_operator_that_may_end_the_inference() -> None:
    b = ModelBuilder()
    x = b.input((1, 4))
    first = b.operator("RELU", (x,), (1, 4))
    out = b.tensor((1, 4))
    b.operator_into("CUSTOM", (first,), (out,), custom_code="CIRCULAR_BUFFER")
    b.operator("RELU", (x,), (1, 4))
    assert precedence(b.finish(), 0) == ((0, 1), (1, 2))


def test_signal_operators_are_free() -> None:
    b = ModelBuilder()
    x = b.input((1, 4))
    for _ in range(2):
        out = b.tensor((1, 4))
        b.operator_into("CUSTOM", (x,), (out,), custom_code="SignalWindow")
    assert precedence(b.finish(), 0) == ()
