"""Every kernel compiles without a warning for every CPU, and what comes with it keeps the rules."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from mcucomp.backends import BACKENDS
from mcucomp.build.toolchain import (
    FLOAT_FLAGS,
    LANGUAGE_FLAGS,
    MODEL_OPTIMISATION,
    WARNING_FLAGS,
)
from mcucomp.paths import firmware_folder
from tests.support import cmsis_nn, tools

FIRMWARE = firmware_folder()
KERNELS = sorted((FIRMWARE / "kernels").rglob("*.c"))
HEADERS = sorted((FIRMWARE / "include").rglob("*.h"))
# Includes a header that only users of CMSIS-NN have; the kernels that call it include this one.
CALLS_CMSIS_NN = FIRMWARE / "include" / "mcuc_cmsis_nn_calls.h"
TARGETS = {
    "host": ("gcc",),
    **{
        cpu: ("arm-none-eabi-gcc", f"-mcpu={cpu}", "-mthumb")
        for cpu in ("cortex-m0", "cortex-m3", "cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55")
    },
}


# Warnings that need the optimiser are looked for here, those of the language everywhere.
OPTIMISED = ("host", "cortex-m0", "cortex-m4", "cortex-m55")


def kernels_for(target: str) -> list[Path]:
    """The sources of the backends that run on a CPU; the portable ones for the host."""
    folders = [FIRMWARE / b.folder for b in BACKENDS if b.runs_on(target)]
    return [source for source in KERNELS if source.parent in folders]


def compile_all(
    command: tuple[str, ...], sources: list[Path], folder: Path, last_step: str = "-c"
) -> str:
    flags = [
        *MODEL_OPTIMISATION,
        *LANGUAGE_FLAGS,
        *FLOAT_FLAGS,
        *WARNING_FLAGS,
        f"-I{FIRMWARE / 'include'}",
    ]
    if any(source.parent.name == "cmsis_nn" for source in sources):
        flags += [f"-isystem{headers}" for headers in cmsis_nn.copy().headers]
    result = subprocess.run(
        [*command, *flags, last_step, *map(str, sources)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return result.stderr


@pytest.mark.parametrize("target", TARGETS)
def test_kernels_are_warning_clean(target: str, tmp_path: Path) -> None:
    command = TARGETS[target]
    tools.require(command[0])
    kernels = [k for k in kernels_for(target) if k.parent.name != "cmsis_nn"]
    assert kernels
    last_step = "-c" if target in OPTIMISED else "-fsyntax-only"
    assert compile_all(command, kernels, tmp_path, last_step) == ""


@pytest.mark.parametrize("target", [t for t in OPTIMISED if t != "host"])
def test_kernels_that_call_cmsis_nn_are_warning_clean(target: str, tmp_path: Path) -> None:
    tools.require(TARGETS[target][0])
    kernels = [k for k in kernels_for(target) if k.parent.name == "cmsis_nn"]
    assert kernels
    assert compile_all(TARGETS[target], kernels, tmp_path, "-c") == ""


def test_every_kernel_is_compiled_for_some_target() -> None:
    assert {source for target in TARGETS for source in kernels_for(target)} == set(KERNELS)
    assert len(kernels_for("cortex-m0")) < len(kernels_for("cortex-m4"))


def is_skeleton(header: Path) -> bool:
    """Whether a header is no C before a kernel has said which types it is for."""
    text = header.read_text("utf-8")
    included = re.findall(r'#include "(mcuc_\w+\.h)"', text)
    folder = FIRMWARE / "include"
    return "\n * A skeleton: " in text or any(is_skeleton(folder / name) for name in included)


def test_every_header_stands_alone_in_c_and_cpp(tmp_path: Path) -> None:
    tools.require("gcc", "g++")
    strict = ("-Wall", "-Wextra", "-Werror", "-fsyntax-only")
    for compiler, suffix in (("gcc", "c"), ("g++", "cpp")):
        headers = [h for h in HEADERS if h != CALLS_CMSIS_NN and not is_skeleton(h)]
        units = [tmp_path / f"{header.stem}.{suffix}" for header in headers]
        for header, unit in zip(headers, units, strict=True):
            unit.write_text(f'#include "{header.relative_to(FIRMWARE / "include")}"\n')
        result = subprocess.run(
            [compiler, *strict, f"-I{FIRMWARE / 'include'}", *map(str, units)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.stderr == ""


@pytest.mark.parametrize("source", KERNELS, ids=lambda p: p.stem)
def test_a_kernel_has_its_header_and_no_heap_or_io(source: Path) -> None:
    header = FIRMWARE / "include" / "mcuc" / f"{source.stem}.h"
    assert header.is_file(), "a kernel's header has its name"
    text = source.read_text("utf-8")
    assert f'#include "mcuc/{source.stem}.h"' in text
    assert re.search(rf"\bvoid mcuc_{source.stem}\(", text)
    system = set(re.findall(r"#include <([^>]+)>", text))
    allowed = {"string.h", "stdint.h", "stddef.h"}
    # Kernels on real numbers may take what the C library has for them.
    is_on_reals = "f32" in source.stem or source.stem == "detection_post_process"
    assert system <= (allowed | {"math.h", "float.h"} if is_on_reals else allowed)
    assert (CALLS_CMSIS_NN.name in text) == (source.parent.name == "cmsis_nn")
    assert not re.search(r"\b(malloc|calloc|realloc|free|printf|alloca)\s*\(", text)
    prose = header.read_text("utf-8")
    for section in ("input", "output", "Order"):
        assert section in prose, f"{header.name} does not document: {section}"


def test_a_warning_is_found(tmp_path: Path) -> None:
    """The test above can fail."""
    tools.require("gcc")
    bad = tmp_path / "bad.c"
    bad.write_text("int f(long x);\nint f(long x) { return x; }\n")
    assert "-Werror=conversion" in compile_all(TARGETS["host"], [bad], tmp_path)
