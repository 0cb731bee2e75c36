"""Arena and state on a board, whole messages."""

from __future__ import annotations

import pytest

from mcucomp import boards, placement
from mcucomp.errors import DoesNotFit
from mcucomp.fit import arena_limit_bytes, live_at, require_fit
from mcucomp.memory import Buffer, Step, StepGraph
from mcucomp.planner import plan

LARGER = "  fix: choose a board with more memory ('mcucomp boards'), or a smaller model"
PEAK = "  peak is at step 0, ABS: 100,000 B x [0, 1)\n"


def fit(board: str, state_bytes: int, place: str = "") -> None:
    """An arena of 100,000 B and some state."""
    graph = StepGraph((Step("y", "ABS"),), (Buffer("x", 100_000, (), (0,)),), alignment=4)
    found = placement.place(boards.find(board), placement.parse(place))
    require_fit("a.tflite", graph, plan(graph), found, state_bytes)


def refusal(board: str, state_bytes: int, place: str = "") -> str:
    with pytest.raises(DoesNotFit) as caught:
        fit(board, state_bytes, place)
    return str(caught.value)


def test_state_takes_its_part_of_the_region() -> None:
    """stm32 has 131,072 B of SRAM, 4,096 B of which are the stack."""
    fit("stm32", 26_976)
    assert refusal("stm32", 26_977) == (
        "a.tflite: needs 100,000 B of arena and 26,977 B of state; "
        "SRAM of stm32 has 126,976 B for both\n"
        + PEAK
        + "  fix: put one of them elsewhere: --place data=ccm"
    )
    fit("stm32", 26_977, "data=ccm")


def test_both_are_too_large_for_any_other_region() -> None:
    assert refusal("stm32", 70_000) == (
        "a.tflite: needs 100,000 B of arena and 70,000 B of state; "
        "SRAM of stm32 has 126,976 B for both\n" + PEAK + LARGER
    )


def test_state_alone_is_too_large() -> None:
    assert refusal("stm32", 130_000) == (
        "a.tflite: needs 130,000 B of state; stm32 has 126,976 B\n"
        "  data need 130,000 B: SRAM has 126,976 B (3,024 B short), "
        "CCM has 65,536 B (64,464 B short)\n" + LARGER
    )


def test_the_host_sets_no_limit() -> None:
    assert arena_limit_bytes(boards.find("host")) is None
    fit("host", 10**9)  # where a board's refusal would be raised


def test_rows_of_a_tensor_are_told_together() -> None:
    buffers = (
        *(Buffer(f"image row {y}", 40, (), (1,), row_of=0) for y in range(3)),
        Buffer("image row 3", 40, (), (2,), row_of=0),
        Buffer("sums row 0", 8, (0,), (2,), row_of=1),
        Buffer("other", 16, (0,), (1,)),
    )
    graph = StepGraph(tuple(Step(n, "ADD", 4) for n in "abc"), buffers, alignment=4)
    assert live_at(graph, plan(graph), 1) == [
        "160 B image, 4 rows [0, 3)",
        "16 B other [0, 2)",
        "8 B sums row 0 [0, 3)",
        "4 B scratch [1, 2)",
    ]


def test_tensors_of_one_name_are_told_apart() -> None:
    names = ("same", "same", "twice row 0", "twice row 1", "twice row 0", "twice row 1")
    rows_of = (None, None, 0, 0, 1, 1)
    buffers = tuple(
        Buffer(name, 8 + 8 * k, (), (0,), row_of=row_of)
        for k, (name, row_of) in enumerate(zip(names, rows_of, strict=True))
    )
    graph = StepGraph((Step("a", "ADD"),), buffers, alignment=4)
    assert live_at(graph, plan(graph), 0) == [
        "88 B twice, 2 rows [0, 1)",
        "56 B twice, 2 rows [0, 1)",
        "16 B same [0, 1)",
        "8 B same [0, 1)",
    ]
