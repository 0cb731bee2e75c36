"""`mcucomp doctor`: what is installed, what is missing, and what installs it."""

from __future__ import annotations

import importlib.metadata
import platform
import shutil
import subprocess
from dataclasses import dataclass

import click

import mcucomp
from mcucomp import boards
from mcucomp.build.toolchain import PACKAGES
from mcucomp.cli.options import json_option
from mcucomp.device import renode_program
from mcucomp.device.flashers import registered
from mcucomp.report.terminal import print_json, stdout, table


@dataclass(frozen=True, slots=True)
class Finding:
    """A tool: its version, or None where it is missing."""

    tool: str
    version: str | None
    used_for: str
    install: str
    optional: bool = False


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

    Exit status 1 if one is missing that is not optional.
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
                        "optional": f.optional,
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
            absent = "not there (optional)" if f.optional else "missing"
            rows.add_row(f.tool, f.version or f"{absent}: {f.install}", f.used_for)
        stdout().print(rows)
    if any(f.version is None and not f.optional for f in findings):
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
    return [*findings, Finding(package, version, used_for, install), *_optional()]


def _optional() -> list[Finding]:
    """What some boards or emulators can do without: never a reason to fail."""
    findings = [
        Finding(
            "renode",
            "installed" if renode_program() else None,
            "--emulator renode",
            "see renode.io; it is in no package registry",
            optional=True,
        )
    ]
    for flasher in registered().values():
        if flasher.program is None:
            continue
        path = flasher.path()
        users = [b.name for b in boards.known().values() if flasher.name in b.flashers]
        used_for = f"mcucomp flash: {', '.join(users)}"
        # They do not agree on how to be asked for a version.
        version = None if path is None else "installed"
        findings.append(Finding(flasher.name, version, used_for, flasher.install, optional=True))
    return findings


def _program_version(tool: str) -> str | None:
    path = shutil.which(tool)
    if path is None:
        return None
    result = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    return result.stdout.partition("\n")[0] or "installed"
