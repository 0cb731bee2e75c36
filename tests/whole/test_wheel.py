"""A wheel of the tree, installed in an empty environment, does all from another folder."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.support import tools
from tests.support.models import residual_network

CHECKOUT = Path(__file__).resolve().parents[2]


def run(*command: object, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    return subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `mcucomp` command of an environment that has the wheel and nothing of the tree."""
    tools.require("build")
    folder = tmp_path_factory.mktemp("wheel")
    made = run(
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--outdir",
        folder / "dist",
        CHECKOUT,
        folder=folder,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    (wheel,) = (folder / "dist").glob("*.whl")
    venv.create(folder / "env", with_pip=True)
    installed = run(
        folder / "env/bin/pip", "install", "--quiet", f"{wheel}[reference]", folder=folder
    )
    assert installed.returncode == 0, installed.stderr
    return folder / "env/bin/mcucomp"


@pytest.mark.parametrize(
    ("board", "how", "needs"),
    [
        ("host", (), ("gcc",)),
        ("stm32", ("--emulator", "qemu"), ("arm-none-eabi-gcc", "qemu-system-arm")),
    ],
)
def test_build_run_check(
    command: Path, board: str, how: tuple[str, ...], needs: tuple[str, ...], tmp_path: Path
) -> None:
    tools.require(*needs)
    (tmp_path / "residual.tflite").write_bytes(residual_network().bytes())
    for arguments in (
        ("build", "residual.tflite", "--board", board, "-o", "out"),
        ("run", "out", *how),
        ("check", "out", *how, "--inputs", "2", "--seed", "7"),
    ):
        result = run(command, *arguments, folder=tmp_path)
        assert result.returncode == 0, result.stdout + result.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "residual.tflite"]


def test_export(command: Path, tmp_path: Path) -> None:
    """Kernels, templates and the licence are in the wheel too."""
    (tmp_path / "residual.tflite").write_bytes(residual_network().bytes())
    result = run(command, "export", "residual.tflite", "-f", "cmake", "-o", "out", folder=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert (tmp_path / "out" / "LICENSE").read_bytes() == (CHECKOUT / "LICENSE").read_bytes()
    assert (tmp_path / "out" / "src" / "mcuc_conv_2d_s8.c").is_file()
