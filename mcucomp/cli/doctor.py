"""`mcucomp doctor`: what is installed, what is missing, and what installs it."""

from __future__ import annotations

import importlib.metadata
import platform
import shutil
import subprocess
from dataclasses import dataclass

import click

import mcucomp
from mcucomp.build.toolchain import PACKAGES
from mcucomp.cli.options import json_option
from mcucomp.report.terminal import print_json, stdout, table


@dataclass(frozen=True, slots=True)
class Finding:
    """A tool: its version, or None where it is missing."""

    tool: str
    version: str | None
    used_for: str
    install: str


# Tool, what it is for. A package of PyPI is told by its install command.
PROGRAMS = {
    "gcc": "--board host",
    "arm-none-eabi-gcc": "boards with an Arm Cortex-M",
    "arm-none-eabi-objcopy": "boards with an Arm Cortex-M",
    "qemu-system-arm": "--emulator qemu",
}
REFERENCE = ("tflite-micro", "mcucomp check", "pip install 'mcucomp[reference]'")


@click.command("doctor")
@json_option
def command(as_json: bool) -> None:
    """Show which tools are found, which are missing, and what installs each.

    Exit status 1 if one is missing.
    """
    findings = _findings()
    if as_json:
        print_json(
            {
                "schema": 1,
                "mcucomp": mcucomp.__version__,
                "python": platform.python_version(),
                "tools": [
                    {
                        "tool": f.tool,
                        "version": f.version,
                        "used_for": f.used_for,
                        "install": f.install,
                    }
                    for f in findings
                ],
            }
        )
    else:
        rows = table("tool", "version", "used for")
        rows.add_row("mcucomp", mcucomp.__version__, "")
        rows.add_row("python", platform.python_version(), "")
        for f in findings:
            rows.add_row(f.tool, f.version or f"missing: {f.install}", f.used_for)
        stdout().print(rows)
    if any(f.version is None for f in findings):
        raise click.exceptions.Exit(1)


def _findings() -> list[Finding]:
    findings = [
        Finding(tool, _program_version(tool), used_for, f"apt-get install {PACKAGES[tool]}")
        for tool, used_for in PROGRAMS.items()
    ]
    package, used_for, install = REFERENCE
    try:
        version: str | None = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        version = None
    return [*findings, Finding(package, version, used_for, install)]


def _program_version(tool: str) -> str | None:
    path = shutil.which(tool)
    if path is None:
        return None
    result = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    return result.stdout.partition("\n")[0] or "installed"
