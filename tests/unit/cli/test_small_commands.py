"""`boards`, `ops`, `doctor`, and the front door itself."""

from __future__ import annotations

import json
import shutil

import pytest

from mcucomp import boards, cli
from mcucomp.ops import registered


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
        "emulators": ["qemu"],
    }


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
