"""Orders that no tensor carries."""

from __future__ import annotations

from mcucomp.ir import DType, Graph, Operator, Tensor
from mcucomp.memory import TensorUse
from mcucomp.memory.effects import effect_order
from mcucomp.ops import Slot


def operator(index: int, kind: str, inputs=(), outputs=(), **options) -> Operator:  # type: ignore[no-untyped-def]
    code = options.pop("code", "")
    return Operator(index, kind, inputs, outputs, options, custom_code=code)


def graph(*operators: Operator, variables: tuple[int, ...] = ()) -> Graph:
    tensors = tuple(
        Tensor(k, f"t{k}", DType.INT8, (4,), is_variable=k in variables) for k in range(10)
    )
    return Graph("main", tensors, operators, (), ())


def handle(index: int, output: int, name: str) -> Operator:
    return operator(index, "VAR_HANDLE", (), (output,), container="", shared_name=name)


def test_reads_of_a_variable_may_change_places_but_not_with_assignments() -> None:
    found = effect_order(
        graph(
            handle(0, 0, "a"),
            operator(1, "READ_VARIABLE", (0,), (1,)),
            operator(2, "READ_VARIABLE", (0,), (2,)),
            operator(3, "ASSIGN_VARIABLE", (0, 3)),
            operator(4, "READ_VARIABLE", (0,), (4,)),
        )
    )
    assert found == ((1, 3), (2, 3), (3, 4))


def test_two_handles_of_one_name_are_one_variable_and_other_names_are_apart() -> None:
    found = effect_order(
        graph(
            handle(0, 0, "a"),
            handle(1, 1, "a"),
            handle(2, 2, "b"),
            operator(3, "ASSIGN_VARIABLE", (0, 5)),
            operator(4, "READ_VARIABLE", (1,), (6,)),
            operator(5, "READ_VARIABLE", (2,), (7,)),
        )
    )
    assert found == ((3, 4),)


def test_call_once_runs_before_all_that_follows() -> None:
    found = effect_order(
        graph(operator(0, "CALL_ONCE"), operator(1, "ADD", (0,), (1,)), operator(2, "ADD"))
    )
    assert found == ((0, 1), (0, 2))


def test_a_loop_may_touch_every_variable() -> None:
    found = effect_order(
        graph(
            handle(0, 0, "a"),
            operator(1, "READ_VARIABLE", (0,), (1,)),
            operator(2, "WHILE", (1,), (2,)),
            operator(3, "READ_VARIABLE", (0,), (3,)),
        )
    )
    assert found == ((1, 2), (2, 3))


def test_variable_tensors_and_custom_operators_of_one_kind_keep_their_order() -> None:
    found = effect_order(
        graph(
            operator(0, "SVDF", (9,), (0,)),
            operator(1, "CUSTOM", (0,), (1,), code="Stft"),
            operator(2, "SVDF", (9,), (2,)),
            operator(3, "CUSTOM", (2,), (3,), code="Other"),
            operator(4, "CUSTOM", (3,), (4,), code="Stft"),
            variables=(9,),
        )
    )
    assert found == ((0, 2), (1, 4))


def test_uses_that_update_the_same_state_keep_their_order() -> None:
    one, other = (Slot(("tensor", 1, k), 4) for k in (0, 1))
    updates = [(one,), (other,), (one, other), ()]
    found = effect_order(
        graph(*(operator(k, "WHILE", (k,), (k + 5,)) for k in range(4))),
        [TensorUse((), (), updates=each) for each in updates],
    )
    assert found == ((0, 2), (1, 2))
