"""A model with kernels of CMSIS-NN, from file to checked run, and its plan checked anew."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from mcucomp.cli import group
from tests.support import cmsis_nn, tools

DIGITS = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"


def mcucomp(*arguments: object) -> str:
    result = CliRunner().invoke(group, list(map(str, arguments)))
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_digits_with_kernels_of_cmsis_nn(tmp_path: Path) -> None:
    tools.require("arm-none-eabi-gcc", "qemu-system-arm", "tflite_micro")
    copy, folder = cmsis_nn.copy(), tmp_path / "build"
    chosen = ("--kernels", "cmsis-nn", "--cmsis-nn", copy.folder)
    mcucomp("build", DIGITS, "--board", "mps2-an386", "-o", folder, *chosen)
    report = json.loads((folder / "report.json").read_text("utf-8"))
    backends = {operator["kernel"]: operator["backend"] for operator in report["operators"]}
    assert backends["mcuc_conv_2d_s8__cmsis_nn"] == "cmsis-nn"
    assert backends["mcuc_fully_connected_s8__cmsis_nn"] == "cmsis-nn"
    verdict = json.loads(mcucomp("check", folder, "--emulator", "qemu", "--inputs", 2, "--json"))
    assert verdict["check"]["ok"]
    # The functions that the copy has stand in the plan, so the check needs no copy.
    mcucomp("check-plan", folder / "plan.json", DIGITS)
    for file in folder.rglob("*.json"):
        assert str(copy.folder) not in file.read_text("utf-8")
