"""Slots of state: what operators ask for, and what kernels do with it."""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops import KernelCall, Node, Slot
from mcucomp.ops.conditions import Role
from mcucomp.ops.constants import int8_array
from mcucomp.ops.state import is_variable, private_slot, variable_slot
from tests.support.kernel_runner import State, initial_bytes, run_call
from tests.support.models import ModelBuilder

STATE = Role("state", 0)


def _node(dtype: DType, zero_point: int, *, is_variable: bool = True) -> Node:
    """An operator whose input 0 is a variable, in graph 3 of some model."""
    b = ModelBuilder()
    state = b.tensor((2, 3), dtype, 0.5, zero_point, is_variable=is_variable)
    b.operator("SVDF", (state,), (2, 3), dtype, 0.5)
    graph = b.finish(outputs=(1,)).graphs[0]
    return Node(graph, graph.operators[0], graph_index=3)


def test_a_variable_of_int8_starts_as_its_zero_point() -> None:
    node = _node(DType.INT8, -5)
    assert variable_slot(node, 0) == Slot(("tensor", 3, 0), 6, initial=251, alignment=4)


def test_other_variables_start_as_zeros() -> None:
    node = _node(DType.INT64, 7)
    assert variable_slot(node, 0) == Slot(("tensor", 3, 0), 48, initial=0, alignment=8)


def test_state_of_its_own_is_told_apart_by_operator_and_name() -> None:
    node = _node(DType.INT8, 0)
    assert private_slot(node, "delay", 10, initial=1).key == ("operator", 3, 0, "delay")


def test_who_wants_a_variable_says_so() -> None:
    condition = is_variable(STATE)
    assert condition.sentence == "state is a variable"
    assert condition.found(_node(DType.INT8, 0)) is None
    found = condition.found(_node(DType.INT8, 0, is_variable=False))
    assert found == "a tensor that is not marked as variable"


def test_state_lasts_from_call_to_call() -> None:
    slot = Slot(("operator", 0, 0, "history"), 4, initial=int8_array(np.array([1, 2, 3, 4])))
    assert initial_bytes(slot).tolist() == [1, 2, 3, 4]
    read = KernelCall("mcuc_read_variable", {"size": 4}, (), (0,), updates=(slot,))
    assign = KernelCall("mcuc_assign_variable", {"size": 4}, (1,), (), updates=(slot,))
    state: State = {}
    assert run_call(read, [], [4], state)[0].tolist() == [1, 2, 3, 4]
    run_call(assign, [np.array([5, 6, 7, 8], np.uint8)], [], state)
    assert run_call(read, [], [4], state)[0].tolist() == [5, 6, 7, 8]
