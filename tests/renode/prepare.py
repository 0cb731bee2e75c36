"""Makes what the Robot suite needs: an image a board, what to say to it, what it must answer.

    python tests/renode/prepare.py FOLDER

Writes FOLDER/variables.py, in which Robot Framework finds a dictionary a board. The
commands travel in variables because an argument that holds `=` would be taken for a named
one. What is expected comes from elsewhere than Renode: the peak from the plan,
output and its CRC from TensorFlow Lite Micro, the count of instructions from QEMU's machine
with the same CPU.
"""

from __future__ import annotations

import pprint
import sys
import zlib
from pathlib import Path

from mcucomp import boards, build_directory, check, pipeline
from mcucomp.check.inputs import pattern
from mcucomp.check.reference import outputs
from mcucomp.device.protocol import DATA_BYTES, encode
from mcucomp.paths import renode_folder

DIGITS = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"

# The board whose count in QEMU the board's in Renode is compared with: the same CPU and flags.
SAME_CPU = {
    "stm32": "stm32",
    "nrf52840-dk": "stm32",
    "stm32f746g-disco": "mps2-an500",
    "nucleo-h753zi": "mps2-an500",
}


def commands(data: bytes) -> list[str]:
    """Paint, the input, the run, the outputs: lines without their line ends."""
    said = [encode("paint", {"id": 1, "pattern": 0x55})]
    for at in range(0, len(data), DATA_BYTES):
        part = {"index": 0, "offset": at, "base64": data[at : at + DATA_BYTES]}
        said.append(encode("data", {"id": len(said) + 1, **part}))
    said.append(encode("run", {"id": len(said) + 1, "mode": 0}))
    said.append(encode("outputs", {"id": len(said) + 1}))
    return [line.decode("ascii").rstrip("\n") for line in said]


def expectation(name: str, folder: Path) -> dict[str, object]:
    """One board's image and what Renode must answer."""
    pipeline.build(DIGITS, name, folder / name, pipeline.Options())
    build = build_directory.load(folder / name)
    inputs = pattern(build.graph)
    other = SAME_CPU[name]
    pipeline.build(DIGITS, other, folder / f"{name}-qemu", pipeline.Options())
    with check.session(build_directory.load(folder / f"{name}-qemu"), emulator="qemu") as session:
        counted = session.infer(inputs, profile=False).instructions
    ((output,),) = outputs(build.model, build.graph, [inputs])
    renode = boards.find(name).emulators["renode"]
    board = boards.find(name)
    assert board.sections is not None
    return {
        "name": name,
        "platform": str((renode_folder() / renode.platform).resolve()),
        "image": str((folder / name / "firmware.elf").resolve()),
        "uart": f"sysbus.{renode.uart}",
        "mips": renode.mips,
        "vectors": f"{board.region(board.sections.code).origin:#x}",
        "commands": commands(inputs[0]),
        "result": rf"mcuc 1 result id=\d+ code=0 peak={build.arena_peak_bytes} guards=ok .*",
        "ticks": r".* ticks=(\d+) empty_ticks=(\d+) .*",
        "output": rf"mcuc 1 output id=\d+ index=0 bytes={len(output)} "
        rf"crc32={zlib.crc32(output):08X} crc=.*",
        "instructions": counted,
    }


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    lines = ['"""Made by tests/renode/prepare.py."""', ""]
    for name in SAME_CPU:
        variable = name.upper().replace("-", "_")
        text = pprint.pformat(expectation(name, folder), width=100, sort_dicts=False)
        lines.append(f"{variable} = {text}")
    (folder / "variables.py").write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
