"""The Robot suite, as far as it can be checked without Renode."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from mcucomp import boards
from mcucomp.device.protocol import Line, decode
from tests.support import tools

FOLDER = Path(__file__).resolve().parents[1] / "renode"
SUITE = (FOLDER / "boards.robot").read_text("utf-8")


def prepare() -> ModuleType:
    spec = importlib.util.spec_from_file_location("prepare", FOLDER / "prepare.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def variable(name: str) -> str:
    return name.upper().replace("-", "_")


def test_every_board_that_renode_has_is_in_the_suite() -> None:
    names = {name for name, board in boards.known().items() if "renode" in board.emulators}
    assert set(prepare().SAME_CPU) == names
    cases = SUITE.partition("*** Test Cases ***")[2].partition("*** Keywords ***")[0]
    assert set(re.findall(r"\$\{(\w+)\}", cases)) == {variable(name) for name in names}


def test_no_argument_can_be_taken_for_a_named_one() -> None:
    """Robot Framework reads `word=value` in an argument as a name; only its own may be there."""
    for name in re.findall(r"(?<=    )(\w+)=(?! )", SUITE):
        assert name in {"timeout", "waitForEcho", "treatAsRegex", "modules"}


@pytest.mark.parametrize("name", ["stm32", "nucleo-h753zi"])
def test_what_the_suite_is_given(name: str, tmp_path: Path) -> None:
    tools.require("arm-none-eabi-gcc", "qemu-system-arm", "tflite_micro")
    given = prepare().expectation(name, tmp_path)
    assert set(re.findall(r"(?:board\}\[|board\[')(\w+)", SUITE)) == set(given)
    lines = [decode(command.encode()) for command in given["commands"]]
    words = [line.word for line in lines if isinstance(line, Line)]
    assert words == ["paint", *["data"] * (len(lines) - 3), "run", "outputs"]
    answer = (
        "mcuc 1 result id=3 code=0 peak=1 guards=ok stack=4 ticks=700 empty_ticks=30 cycles=none"
    )
    peak = re.search(r"peak=(\d+)", given["result"])
    assert peak is not None
    answer = answer.replace("peak=1", peak[0])
    assert re.fullmatch(given["result"], answer)
    counted = re.match(given["ticks"], answer)
    assert counted is not None
    assert counted.groups() == ("700", "30")
    assert given["instructions"] > 100_000
    assert Path(given["platform"]).is_file()
    assert Path(given["image"]).is_file()
