"""`mcucomp flash`: from a build directory, with stand-ins for the tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcucomp import cli, pipeline
from tests.support import tools

DIGITS = Path(__file__).resolve().parents[3] / "examples" / "digits" / "digits.tflite"


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tools.require("arm-none-eabi-gcc")
    folder = tmp_path_factory.mktemp("flash") / "out"
    pipeline.build(DIGITS, "stm32", folder, pipeline.Options())
    return folder


@pytest.fixture
def st_flash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that writes what it gets into a file beside it."""
    program = tmp_path / "st-flash"
    program.write_text(
        "#!/bin/sh\n"
        'echo "$@" > "$0.arguments"; cp "$3" "$0.flash"; echo "Flash written and verified!"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return program


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = cli.run([str(a) for a in arguments])
    said = capfd.readouterr()
    return status, said.out, said.err


def test_it_says_what_it_runs(
    build: Path, st_flash: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = f"st-flash --reset write {build}/firmware.bin 0x08000000"
    assert call(capfd, "flash", build, "--with", "st-flash", "--dry-run") == (
        0,
        f"{command}\n",
        "",
    )
    assert not st_flash.with_name("st-flash.flash").exists()
    assert call(capfd, "flash", build, "--with", "st-flash") == (
        0,
        "digits is on stm32: written and verified with st-flash\n",
        f"$ {command}\n",
    )
    written = st_flash.with_name("st-flash.flash").read_bytes()
    assert written == (build / "firmware.bin").read_bytes()


def test_as_json(build: Path, st_flash: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capfd, "flash", build, "--with", "st-flash", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == {
        "schema": 1,
        "board": "stm32",
        "tool": "st-flash",
        "steps": [f"st-flash --reset write {build}/firmware.bin 0x08000000"],
        "written": True,
        "verified": True,
    }


def test_a_failure(build: Path, st_flash: Path, capfd: pytest.CaptureFixture[str]) -> None:
    st_flash.write_text('#!/bin/sh\necho "Couldn\'t find any ST-Link devices"\nexit 255\n')
    command = f"$ st-flash --reset write {build}/firmware.bin 0x08000000"
    assert call(capfd, "flash", build, "--with", "st-flash") == (
        3,
        "",
        f"{command}\n"
        "st-flash did not write stm32: cable: no debug probe is found\n"
        f"  {command}\n"
        "  | Couldn't find any ST-Link devices\n"
        "  fix: check the USB cable (it must carry data) and that the board is connected; "
        "'lsusb' shows it\n",
    )


def test_no_build_directory(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert call(capfd, "flash", tmp_path / "absent") == (
        2,
        "",
        f"{tmp_path / 'absent'}: is no build directory: does not exist\n"
        "  fix: 'mcucomp build MODEL --board BOARD -o DIR' makes one\n",
    )
