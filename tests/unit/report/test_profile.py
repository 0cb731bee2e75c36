"""Rows, documents and the page of a profile."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mcucomp.device import Run
from mcucomp.device.emulated_cycles import StepCycles
from mcucomp.device.run import StepCount
from mcucomp.report.profile import profile, profile_document, profile_html, profile_text

OPERATORS = [
    {"step": 0, "kind": "CONV_2D", "kernel": "mcuc_k", "macs": 1000, "output_elements": 50},
    {"step": 1, "kind": "RESHAPE", "kernel": "mcuc_c", "macs": 0, "output_elements": 50},
]


def build(source: str = "m.tflite") -> SimpleNamespace:
    return SimpleNamespace(report={"operators": OPERATORS, "model": {"file": source}})


def run(counts: tuple[int, int] = (1400, 100), *, cycles: bool = False) -> Run:
    steps = tuple(
        StepCount(k, None if cycles else n, n if cycles else None) for k, n in enumerate(counts)
    )
    return Run(
        "stm32",
        "qemu",
        10,
        "ok",
        100,
        None if cycles else 1500,
        1500 if cycles else None,
        steps,
        (),
    )


def test_shares_and_floors() -> None:
    first, second = profile(build(), run()).rows
    assert (first.count, first.share) == (1400, pytest.approx(1400 / 1500))
    assert first.per_mac == 1.4
    # 500 dual products and four instructions for each of 50 outputs.
    assert first.floor == 700
    assert first.times_floor == 2.0
    assert (second.per_mac, second.floor, second.times_floor) == (None, None, None)


def test_cycles_of_a_board_are_no_estimate() -> None:
    profiled = profile(build(), run(cycles=True))
    assert profiled.unit == "cycles"
    assert profiled.cycles is None
    assert profile_document(profiled)["operators"][0]["cycles"] == 1400


def test_the_document_has_everything() -> None:
    estimates = [StepCycles(2000, 2500), StepCycles(150, 150)]
    document = profile_document(profile(build(), run(), estimates))
    assert document["unit"] == "instructions"
    assert document["total"] == 1500
    assert document["estimated_m4_cycles"] == (2150, 2650)
    assert document["operators"][0] == {
        "step": 0,
        "kind": "CONV_2D",
        "kernel": "mcuc_k",
        "instructions": 1400,
        "share": pytest.approx(1400 / 1500),
        "macs": 1000,
        "per_mac": 1.4,
        "floor_instructions": 700,
        "times_floor": 2.0,
        "estimated_m4_cycles": (2000, 2500),
    }


def test_the_text_says_what_was_counted(capsys: pytest.CaptureFixture[str]) -> None:
    profile_text(profile(build(), run(), [StepCycles(2000, 2500), StepCycles(150, 150)]))
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "step operator instructions share MACs per MAC of floor M4 cycles, estimate kernel",
        "0 CONV_2D 1,400 93.3 % 1,000 1.40 2.00 2,000 to 2,500 mcuc_k",
        "1 RESHAPE 100 6.7 % 150 mcuc_c",
        "1,500 instructions in 2 operators, 1.50 per MAC; floor: an instruction for two products "
        "and four for an output; counted, these are not cycles",
        "estimate for a Cortex-M4: 2,150 to 2,650 cycles; from classes of instructions, "
        "with memory that never waits; nothing was measured",
    ]


def test_the_page_is_whole_and_takes_no_markup_from_a_model() -> None:
    page = profile_html(profile(build("<script>\x1b.tflite"), run()))
    assert page.count('<td class="bar">') == 2
    assert 'style="width: 100.00%"' in page
    assert 'style="width: 7.14%"' in page
    assert "<script" not in page
    assert "\x1b" not in page
    assert "estimate" not in page
