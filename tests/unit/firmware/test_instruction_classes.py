"""What the emulator's plugin takes an instruction of a Cortex-M4 for."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.support import tools

SOURCE = Path(__file__).with_name("instruction_classes.c")
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion")

# A block of code, with its cycles at least and at most.
BLOCKS: dict[str, tuple[int, int]] = {
    "add r0, r1, r2": (1, 1),
    "smlad r0, r1, r2, r3": (1, 1),
    "ldr r0, [r1]": (2, 2),
    "ldr r0, [r1]; ldr r2, [r3, #4]; ldr r4, [r5]": (4, 4),
    "ldr r0, [r1]; add r0, r0, r1; ldr r2, [r3]": (5, 5),
    "ldr.w r8, [r9, #100]": (2, 2),
    "ldrsb r0, [r1, r2]": (2, 2),
    "ldrh r0, [r1, #2]": (2, 2),
    "ldrb.w r8, [r1], #1": (2, 2),
    "ldr r0, [sp, #8]": (2, 2),
    "ldr r0, [pc, #8]": (2, 2),
    "str r0, [r1]": (1, 1),
    "strb.w r8, [r1, #7]": (1, 1),
    "strh r0, [r1, r2]": (1, 1),
    "ldrd r0, r1, [r2], #8": (3, 3),
    "strd r0, r1, [r2]": (3, 3),
    "ldm r0, {r1, r2, r3}": (4, 4),
    "stm r0!, {r1, r2}": (3, 3),
    "ldm.w r8!, {r0, r2, r3, r9}": (5, 5),
    "push {r4, r5, lr}": (4, 4),
    "push.w {r4, r5, r8, lr}": (5, 5),
    "pop {r4, pc}": (3, 3),
    "sdiv r0, r1, r2": (2, 12),
    "udiv r0, r1, r2": (2, 12),
    "smull r0, r1, r2, r3": (1, 1),
}


def assembled(block: str, folder: Path) -> str:
    """The bytes of each instruction, in the order of memory."""
    (folder / "block.s").write_text(
        ".syntax unified\n.thumb\n" + "\n".join(block.split(";")) + "\n"
    )
    run = ("arm-none-eabi-as", "-mcpu=cortex-m4", "block.s", "-o", "block.o")
    subprocess.run(run, cwd=folder, check=True)
    listing = subprocess.run(
        ("arm-none-eabi-objdump", "-d", "block.o"),
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    found = re.findall(r"^\s+[0-9a-f]+:\t([0-9a-f]{4})(?: ([0-9a-f]{4}))?\s", listing, re.M)
    return ",".join("".join(half[2:] + half[:2] for half in halves if half) for halves in found)


def test_classes_of_instructions(tmp_path: Path) -> None:
    tools.require("gcc", "arm-none-eabi-as")
    program = tmp_path / "classes"
    subprocess.run(["gcc", *FLAGS, str(SOURCE), "-o", str(program)], check=True)
    codes = [assembled(block, tmp_path) for block in BLOCKS]
    run = subprocess.run([program, *codes], check=True, capture_output=True, text=True)
    lines = run.stdout.splitlines()
    expected = [f"{len(block.split(';'))} {low} {high}" for block, (low, high) in BLOCKS.items()]
    assert dict(zip(BLOCKS, lines, strict=True)) == dict(zip(BLOCKS, expected, strict=True))
