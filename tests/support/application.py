"""How does a test play the firmware that an exported package is added to?

`Application` is a main program around the example of the package's README: it runs
models on given inputs, one case after the other, and says the outputs in hexadecimal. It is built
here for the host or, on bare metal, for an emulated Cortex-M4.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

BARE_METAL = Path(__file__).parent / "bare_metal"

ARM_FLAGS = ("-mcpu=cortex-m4", "-mthumb", "-O2")
ARM_LINK_FLAGS = ("-nostartfiles", "--specs=nano.specs", "-T", str(BARE_METAL / "link.ld"))

_HOST_SAY = """
#include <stdio.h>
void say(const char *text);
void say(const char *text)
{
    (void)fputs(text, stdout);
}
"""

_MAIN = """
#include <stddef.h>

void say(const char *text);

static void say_bytes(const void *data, size_t count)
{{
    const unsigned char *bytes = (const unsigned char *)data;
    for (size_t i = 0; i < count; i++) {{
        const char *digits = "0123456789abcdef";
        const char text[3] = {{digits[bytes[i] >> 4], digits[bytes[i] & 15], 0}};
        say(text);
    }}
    say("\\n");
}}

{data}
int main(void)
{{
{calls}
    return 0;
}}
"""


@dataclass(frozen=True)
class Case:
    """A model by its name in C, its inputs, and the outputs that are right; `first` is C before."""

    name: str
    inputs: Sequence[bytes]
    expected: Sequence[bytes]
    first: str = ""


def example(readme: Path) -> str:
    """The C of a package's README, which must be one block."""
    blocks = re.findall(r"^```c\n(.*?)^```", readme.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1
    return str(blocks[0])


def write(folder: Path, readmes: Sequence[Path], cases: Sequence[Case]) -> list[str]:
    """Write the application's sources; returns those for the host (all but what says)."""
    data, calls = [], []
    for number, case in enumerate(cases):
        ins = [f"in_{number}_{k}" for k in range(len(case.inputs))]
        outs = [f"out_{number}_{k}" for k in range(len(case.expected))]
        for name, values in zip(ins, case.inputs, strict=True):
            c_input = ", ".join(str(b) for b in values)
            data.append(f"static const _Alignas(8) unsigned char {name}[] = {{{c_input}}};\n")
        for name, values in zip(outs, case.expected, strict=True):
            data.append(f"static _Alignas(8) unsigned char {name}[{len(values)}];\n")
        given = [f"(const void *){n}" for n in ins] + [f"(void *){n}" for n in outs]
        calls.append(
            f"    {case.first}\n"
            f"    if (run_{case.name}({', '.join(given)}) != 0) {{ return 1; }}\n"
            + "\n".join(f"    say_bytes({name}, sizeof {name});" for name in outs)
        )
    examples = "\n".join(example(readme) for readme in readmes)
    main = examples + _MAIN.format(data="".join(data), calls="\n".join(calls))
    (folder / "main.c").write_text(main, "utf-8")
    (folder / "say.c").write_text(_HOST_SAY, "utf-8")
    return ["main.c", "say.c"]


def run(*command: object, folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """The output of a command that must succeed."""
    result = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )
    assert result.returncode == 0, result.stdout
    return result.stdout


def run_emulated(elf: Path) -> str:
    """What a bare-metal program says in QEMU."""
    machine = ("-M", "mps2-an386", "-display", "none", "-monitor", "none", "-serial", "none")
    semihosting = ("-semihosting-config", "enable=on,target=native")
    return run("qemu-system-arm", *machine, *semihosting, "-kernel", elf, folder=elf.parent)


def assert_said(output: str, cases: Sequence[Case]) -> None:
    """Every model's output, byte for byte, and nothing else."""
    right = [values.hex() for case in cases for values in case.expected]
    assert output.split() == right
