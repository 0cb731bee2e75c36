"""Every board of a maker's chip: its own image, on models of the chip's registers (chips.py)."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

if importlib.util.find_spec("unicorn") is None:
    pytest.skip("skipped: unicorn not installed ('make setup' brings it)", allow_module_level=True)

from mcucomp import boards, build_directory, pipeline
from mcucomp.check import reference
from mcucomp.check.inputs import pattern
from mcucomp.device import Limits, Session, start_session
from tests.emulation.chips import BAUD, CHIPS, Chip, Rp2040
from tests.support import tools

DIGITS = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"
LIMITS = Limits(answer_s=30, go_s=5, again_s=30)


@pytest.fixture(scope="module", params=list(CHIPS))
def build(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> build_directory.BuildDirectory:
    tools.require("arm-none-eabi-gcc")
    folder = tmp_path_factory.mktemp(request.param) / "out"
    pipeline.build(DIGITS, request.param, folder, pipeline.Options())
    return build_directory.load(folder)


def begin(build: build_directory.BuildDirectory, clocks_work: bool) -> tuple[Chip, Session]:
    chip = CHIPS[build.board.name](build.board, build.elf, clocks_work=clocks_work)
    return chip, start_session(chip, build.board.name, None, limits=LIMITS)


def test_every_board_of_a_chip_has_a_model() -> None:
    """Except those that QEMU has as they are."""
    own = {n for n, b in boards.known().items() if b.flashers and n != "microbit"}
    assert set(CHIPS) == own


def test_clocks_line_and_a_whole_inference(build: build_directory.BuildDirectory) -> None:
    chip, session = begin(build, clocks_work=True)
    assert session.firmware.clock_hz == build.board.clock_hz
    assert chip.cpu_hz() == build.board.clock_hz
    assert abs(chip.baud() - BAUD) < 0.01 * BAUD
    inputs = pattern(build.graph)
    run = session.infer(inputs, profile=False)
    assert run.arena_peak_bytes == build.arena_peak_bytes
    assert run.guards_ok
    if not tools.missing("tflite_micro"):
        assert [list(run.outputs)] == reference.outputs(build.model, build.graph, [inputs])


def test_the_pico_counts_cycles_across_wraps_of_both_counters(tmp_path: Path) -> None:
    """SysTick has 24 bits, the timer whole microseconds; together they count to 2^32."""
    tools.require("arm-none-eabi-gcc")
    pipeline.build(DIGITS, "rpi-pico", tmp_path / "out", pipeline.Options())
    built = build_directory.load(tmp_path / "out")
    chip, _ = begin(built, clocks_work=True)
    now = [random.Random(1).randrange(1 << 32)]  # cycles since both counters began together
    assert isinstance(chip, Rp2040)
    chip.counts_from(now)
    with built.elf.open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".symtab")
        address = symbols.get_symbol_by_name("mcuc_port_cycles")[0]["st_value"]
    steps = random.Random(2)
    before = (chip.call(address), now[0])
    for _ in range(100):
        now[0] += steps.choice([1, 124, 1 << 23, (1 << 24) - 1, 1 << 24, 3 << 26, (1 << 31) - 1])
        after = (chip.call(address), now[0])
        assert (after[0] - before[0]) % (1 << 32) == (after[1] - before[1]) % (1 << 32)
        before = after


def test_without_a_crystal_the_line_still_works(build: build_directory.BuildDirectory) -> None:
    """Every wait ends; the clock that is told is the one that is there."""
    if build.board.name == "rpi-pico":
        pytest.skip(
            "skipped: without its crystal this chip's clock is unknown, and so its baud rate"
        )
    chip, session = begin(build, clocks_work=False)
    assert session.firmware.clock_hz == chip.cpu_hz()
    assert abs(chip.baud() - BAUD) < 0.02 * BAUD
    if build.board.name != "nrf52840-dk":  # its CPU has one clock in any case
        assert session.firmware.clock_hz != build.board.clock_hz
