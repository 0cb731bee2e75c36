"""A board file of the user's own, by its path, as docs/adding-a-board.md goes about it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mcucomp import cli
from mcucomp.paths import boards_folder
from tests.support import tools

CHECKOUT = Path(__file__).resolve().parents[2]
DIGITS = CHECKOUT / "examples" / "digits" / "digits.tflite"


def feather(folder: Path) -> Path:
    """The example of the page: the chip of `stm32` on another board."""
    path = folder / "feather.toml"
    text = (boards_folder() / "stm32.toml").read_text("utf-8")
    path.write_text(text.replace('name = "stm32"', 'name = "feather"'), "utf-8")
    return path


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    status = cli.run([str(a) for a in arguments])
    return status, capfd.readouterr().out


def test_build_run_and_flash_without_the_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The build directory holds all that is needed later: the file may be gone."""
    tools.require("arm-none-eabi-gcc", "qemu-system-arm")
    path, out = feather(tmp_path), tmp_path / "out"
    assert call(capfd, "build", DIGITS, "--board", path, "-o", out)[0] == 0
    path.unlink()
    status, said = call(capfd, "run", out, "--emulator", "qemu", "--json")
    assert status == 0
    run = json.loads(said)
    assert run["board"] == "feather"
    assert run["measured"]["arena_peak_bytes"] == run["predicted"]["arena_peak_bytes"]
    status, said = call(capfd, "flash", out, "--dry-run", "--with", "st-flash")
    assert (status, said) == (0, f"st-flash --reset write {out}/firmware.bin 0x08000000\n")


def test_the_page_names_what_there_is() -> None:
    page = (CHECKOUT / "docs" / "adding-a-board.md").read_text("utf-8")
    for name in ("arm_start.c", "arm_core.c", "arm_v7m.c", "arm_v6m.c", "arm_m7_caches.c"):
        assert name in page
        assert (CHECKOUT / "firmware" / "port" / "common" / name).is_file()
    for tool in ("openocd", "pyocd", "dfu-util", "stm32flash", "uf2", "st-flash", "picotool"):
        assert f"`{tool}`" in page


def test_a_region_that_is_too_small_is_a_no(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("arm-none-eabi-gcc")
    path = feather(tmp_path)
    path.write_text(path.read_text().replace("bytes = 1_048_576", "bytes = 16_384"))
    assert call(capfd, "build", DIGITS, "--board", path, "-o", tmp_path / "out")[0] == 1
    assert not (tmp_path / "out").exists()
    assert shutil.which("arm-none-eabi-gcc") is not None
