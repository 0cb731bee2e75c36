"""`boards`, `ops`, `doctor`, and the front door itself."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mcucomp import boards, cli
from mcucomp.device.flashers import registered as registered_flashers
from mcucomp.ops import registered
from mcucomp.paths import boards_folder


def call(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = cli.run(arguments)
    said = capfd.readouterr()
    return status, said.out, said.err


def test_boards_shows_every_board(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capfd, "boards")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()[1:]] == list(boards.known())


def test_boards_as_json(capfd: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capfd, "boards", "--json")
    rows = {row["name"]: row for row in json.loads(out)["boards"]}
    assert rows["stm32"] == {
        "name": "stm32",
        "cpu": "cortex-m4",
        "flash_bytes": 1 << 20,
        "ram_bytes": 128 << 10,
        "emulators": ["qemu", "renode"],
        "flashers": ["openocd", "st-flash", "pyocd", "dfu-util", "stm32flash"],
    }


def test_one_board_in_detail(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capfd, "boards", "nucleo-h753zi")
    assert (status, err) == (0, "")
    lines = [line.rstrip() for line in out.splitlines()]
    assert lines[0].startswith("nucleo-h753zi: NUCLEO-H753ZI: STM32H753ZI, Cortex-M7")
    assert "clock      400,000,000 Hz" in lines
    assert "flashers   openocd, st-flash, pyocd, dfu-util" in lines
    memories = {line.split()[0]: line.split()[1:] for line in lines if " 0x" in line}
    assert memories["AXI"] == ["ram", "0x24000000", "524,288", "arena"]
    assert memories["DTCM"] == ["ram", "0x20000000", "131,072", "data,", "stack"]
    assert any(line.startswith("source     ST DS12117") for line in lines)


@pytest.mark.parametrize("name", list(boards.known()))
def test_every_board_in_detail_as_json(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capfd, "boards", name, "--json")
    board, known = json.loads(out)["board"], boards.find(name)
    assert status == 0
    assert (board["name"], board["cpu"]) == (name, known.cpu)
    assert [region["name"] for region in board["memory"]] == [r.name for r in known.memory]
    assert board["flash_bytes"] == known.flash_bytes
    assert call(capfd, "boards", name)[0] == 0


def test_a_board_of_the_users_own(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "feather.toml"
    text = (boards_folder() / "stm32.toml").read_text("utf-8")
    path.write_text(text.replace('name = "stm32"', 'name = "feather"'), "utf-8")
    status, out, _ = call(capfd, "boards", str(path))
    assert status == 0
    assert out.startswith("feather: ")


def test_an_unknown_board_in_detail(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capfd, "boards", "stm23")
    assert (status, out) == (2, "")
    assert err.startswith("no board named stm23\n  known, nearest first: stm32, ")


def test_ops_shows_every_condition(capfd: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capfd, "ops")
    for definition in registered().values():
        assert f"{definition.kind}: {definition.summary}" in out
        for constraint in definition.constraints:
            assert f"  - {constraint.sentence}" in out


def test_ops_of_one_kind(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capfd, "ops", "softmax", "--json")
    assert status == 0
    assert [row["kind"] for row in json.loads(out)["operators"]] == ["SOFTMAX"]


def test_ops_of_an_unknown_kind(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capfd, "ops", "CONV_2")
    assert (status, out) == (2, "")
    assert err.startswith(
        "mcucomp ops: operator CONV_2 is not known\n  fix: known are CONV_2D, DEPTHWISE_CONV_2D, "
    )


def test_doctor_names_what_is_missing_and_what_installs_it(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda t: None if t == "qemu-system-arm" else which(t))
    status, out, _ = call(capfd, "doctor")
    assert status == 1
    (line,) = [line for line in out.splitlines() if line.startswith("qemu-system-arm")]
    assert "missing: apt-get install qemu-system-arm" in line
    status, out, _ = call(capfd, "doctor", "--json")
    assert status == 1
    tools = {tool["tool"]: tool for tool in json.loads(out)["tools"]}
    assert tools["qemu-system-arm"]["version"] is None


def test_doctor_does_not_fail_for_what_is_optional(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    optional = {f.program for f in registered_flashers().values()} | {"renode"}
    monkeypatch.setattr(shutil, "which", lambda t: None if t in optional else f"/usr/bin/{t}")
    monkeypatch.setattr(type(next(iter(registered_flashers().values()))), "path", lambda f: None)
    monkeypatch.setattr("mcucomp.cli.doctor._program_version", lambda tool: "1.0")
    status, out, _ = call(capfd, "doctor", "--json")
    found = {tool["tool"]: tool for tool in json.loads(out)["tools"]}
    names = set(registered_flashers()) - {"uf2"}
    assert names <= set(found)
    assert all(found[name]["optional"] and found[name]["version"] is None for name in names)
    required = [tool for tool in found.values() if not tool["optional"]]
    assert status == int(any(tool["version"] is None for tool in required))
    _, out, _ = call(capfd, "doctor")
    (line,) = [line for line in out.splitlines() if line.startswith("openocd")]
    assert "not there (optional): apt-get install openocd" in line
    assert "mcucomp flash: " in line


def test_without_a_command_the_help_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capfd)
    assert status == 2
    for command in cli.group.commands:
        assert f"  {command} " in err


def test_an_unknown_command(capfd: pytest.CaptureFixture[str]) -> None:
    assert call(capfd, "bulid") == (
        2,
        "",
        "mcucomp: No such command 'bulid'. Did you mean 'build'?\n"
        "  fix: 'mcucomp --help' shows how it is called\n",
    )


def test_help_exits_with_0(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capfd, "build", "--help")
    assert (status, err) == (0, "")
    assert out.startswith("Usage: mcucomp build [OPTIONS] MODEL")
