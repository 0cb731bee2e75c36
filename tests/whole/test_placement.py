"""Parts of an image in other memory regions: built, checked, run where an emulator has them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mcucomp import cli, pipeline
from mcucomp.paths import boards_folder
from tests.support import tools
from tests.support.models import ModelBuilder, residual_network


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("residual.tflite").write_bytes(residual_network().bytes())
    return tmp_path


def reshape(elements: int) -> None:
    """A model with an arena of two tensors of `elements` bytes."""
    b = ModelBuilder(source="large.tflite")
    shape = b.constant(np.array([elements, 1], np.int32))
    b.operator("RESHAPE", (b.input((1, elements), scale=0.5), shape), (elements, 1), scale=0.5)
    Path("large.tflite").write_bytes(b.bytes())


def dense(outputs: int, inputs: int) -> None:
    """A model with `outputs * inputs` bytes of weights."""
    b = ModelBuilder(source="large.tflite")
    random = np.random.default_rng(1)
    x = b.input((1, inputs), scale=0.5)
    w = b.constant(random.integers(-127, 128, (outputs, inputs), dtype=np.int8), scales=(0.25,))
    bias = b.constant(random.integers(-99, 99, outputs, dtype=np.int32), scales=(0.125,))
    b.operator("FULLY_CONNECTED", (x, w, bias), (1, outputs), scale=1.0)
    Path("large.tflite").write_bytes(b.bytes())


def two_memories() -> Path:
    """The board mps2-an386 with its RAM and its code memory in two halves each."""
    text = (boards_folder() / "mps2-an386.toml").read_text("utf-8")
    text = text.replace("bytes = 4_194_304", "bytes = 2_097_152")
    for name, kind, origin in (("FAST", "ram", 0x20200000), ("QSPI", "flash", 0x00200000)):
        region = f'name = "{name}"\nkind = "{kind}"\norigin = {origin}\nbytes = 2_097_152\n'
        text = text.replace("[sections]", f"[[memory]]\n{region}\n[sections]")
    path = Path("halves.toml")
    path.write_text(text, "utf-8")
    return path


def report(folder: str) -> dict:
    return json.loads((Path(folder) / "report.json").read_text())


def region(folder: str, name: str) -> dict:
    return next(r for r in report(folder)["regions"] if r["name"] == name)


def used_and_left(region: dict) -> list[str]:
    return [f"{region[key]:,}" for key in ("used_bytes", "left_bytes")]


@pytest.mark.parametrize(
    ("place", "parts"),
    [
        (None, {"CODE": ["code", "weights"], "RAM": ["stack", "arena", "data"]}),
        (
            "arena=fast,weights=qspi",
            {
                "CODE": ["code"],
                "QSPI": ["weights"],
                "RAM": ["stack", "data"],
                "FAST": ["arena"],
            },
        ),
        (
            "data=fast,stack=fast",
            {"CODE": ["code", "weights"], "RAM": ["arena"], "FAST": ["stack", "data"]},
        ),
    ],
)
def test_it_runs_wherever_its_parts_are(
    place: str | None, parts: dict[str, list[str]], capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("arm-none-eabi-gcc", "qemu-system-arm", "tflite_micro")
    option = () if place is None else ("--place", place)
    built = cli.run(["build", "residual.tflite", "-b", str(two_memories()), "-o", "out", *option])
    assert built == 0, capfd.readouterr().err
    for name in ("CODE", "QSPI", "RAM", "FAST"):
        assert sorted(region("out", name)["parts"]) == sorted(parts.get(name, []))
    capfd.readouterr()
    assert cli.run(["check", "out", "--emulator", "qemu", "--inputs", "2", "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert document["check"]["ok"]
    assert document["measured"]["arena_peak_bytes"] == report("out")["arena_peak_bytes"]


def test_the_report_and_the_table_say_what_each_region_holds(
    capfd: pytest.CaptureFixture[str],
) -> None:
    tools.require("arm-none-eabi-gcc")
    assert (
        cli.run(["build", "residual.tflite", "-b", "stm32", "-o", "out", "--place", "arena=ccm"])
        == 0
    )
    built = report("out")
    assert built["placement"] == {
        "code": "FLASH", "weights": "FLASH", "data": "SRAM", "arena": "CCM", "stack": "SRAM",
    }  # fmt: skip
    assert [sorted(r) for r in built["regions"]] == [
        ["bytes", "kind", "left_bytes", "name", "origin", "parts", "used_bytes"]
    ] * 3
    ccm = region("out", "CCM")
    assert ccm["used_bytes"] == built["memory"]["arena_bytes"] + 128
    assert ccm["left_bytes"] == 65536 - ccm["used_bytes"]
    lines = capfd.readouterr().out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("region"))
    assert lines[start].split() == ["region", "kind", "bytes", "used", "left", "holds"]
    sram = region("out", "SRAM")
    assert [line.split() for line in lines[start + 2 : start + 4]] == [
        ["SRAM", "ram", "131,072", *used_and_left(sram), "stack,", "data"],
        ["CCM", "ram", "65,536", *used_and_left(ccm), "arena"],
    ]


def test_the_host_has_neither(capfd: pytest.CaptureFixture[str]) -> None:
    tools.require("gcc")
    assert cli.run(["build", "residual.tflite", "-b", "host", "-o", "out"]) == 0
    assert (report("out")["placement"], report("out")["regions"]) == (None, None)


def test_an_emulator_without_the_memory_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    tools.require("arm-none-eabi-gcc")
    assert (
        cli.run(["build", "residual.tflite", "-b", "stm32", "-o", "out", "--place", "arena=ccm"])
        == 0
    )
    capfd.readouterr()
    assert cli.run(["run", "out", "--emulator", "qemu"]) == 2
    assert capfd.readouterr().err == (
        "stm32: the machine netduinoplus2 of qemu has no memory at CCM (which holds arena)\n"
        "  fix: run it on the board (--port), or build it without --place for this emulator\n"
    )


def test_a_region_that_is_too_small_while_another_is_not(
    capfd: pytest.CaptureFixture[str],
) -> None:
    reshape(45_000)
    command = ["build", "large.tflite", "-b", "stm32", "-o", "out", "--place", "arena=ccm"]
    assert cli.run([*command, "--rules", "orders"]) == 1
    assert capfd.readouterr().err == (
        "large.tflite: needs 90,000 B of arena; stm32 has 65,536 B\n"
        "  peak is at step 0, RESHAPE: 45,000 B out_0 [0, 1), 45,000 B tensor_1 [0, 1)\n"
        "  arena needs 90,000 B: SRAM has 126,976 B (enough), CCM has 65,536 B (24,464 B short)\n"
        "  fix: put it where it fits: --place arena=sram\n"
    )
    assert not Path("out").exists()


def test_weights_that_fit_no_region(capfd: pytest.CaptureFixture[str]) -> None:
    dense(1200, 1000)
    assert cli.run(["build", "large.tflite", "-b", "stm32", "-o", "out"]) == 1
    first, *rest = capfd.readouterr().err.splitlines()
    needed = int(first.split()[2].replace(",", ""))
    assert 1_200_000 + 1200 * 4 <= needed < 1_300_000
    assert first == f"large.tflite: needs {needed:,} B for weights; stm32 has 1,048,576 B"
    assert rest == [
        f"  weights need {needed:,} B: FLASH has 1,048,576 B ({needed - 1048576:,} B short)",
        "  fix: choose a board with more memory ('mcucomp boards'), or a smaller model",
    ]


def test_weights_that_fit_another_region(capfd: pytest.CaptureFixture[str]) -> None:
    tools.require("arm-none-eabi-gcc")
    dense(1200, 1000)
    build = ["build", "large.tflite", "-b", "mps3-an547", "-o", "out"]
    assert cli.run([*build, "--place", "weights=itcm"]) == 1
    *_, last = capfd.readouterr().err.splitlines()
    assert last == "  fix: put it where it fits: --place weights=ddr"
    assert cli.run([*build, "--place", "weights=ddr"]) == 0
    assert region("out", "DDR")["used_bytes"] >= 1_200_000


def test_each_flash_region_is_a_file_of_its_own(tmp_path: Path) -> None:
    tools.require("arm-none-eabi-gcc")
    built = pipeline.build(Path("residual.tflite"), "mps3-an547", Path("out"), pipeline.Options())
    for name, file in (("ITCM", "firmware.bin"), ("DDR", "firmware.ddr.bin")):
        (use,) = (r for r in built.image.regions if r.name == name)
        assert Path("out", file).stat().st_size == use.used_bytes


def test_flash_regions_that_touch_are_one_file() -> None:
    """CODE [0, 2 MiB) and QSPI [2 MiB, 4 MiB): weights follow code after a gap."""
    tools.require("arm-none-eabi-gcc")
    options = pipeline.Options(place="weights=qspi")
    built = pipeline.build(Path("residual.tflite"), str(two_memories()), Path("out"), options)
    (use,) = (r for r in built.image.regions if r.name == "QSPI")
    assert [p.name for p in sorted(Path("out").glob("*.bin"))] == ["firmware.bin"]
    assert Path("out/firmware.bin").stat().st_size == 2_097_152 + use.used_bytes


def test_a_wrong_option_leaves_nothing_behind(capfd: pytest.CaptureFixture[str]) -> None:
    assert (
        cli.run(["build", "residual.tflite", "-b", "stm32", "-o", "out", "--place", "arena=x"]) == 2
    )
    assert capfd.readouterr().err == (
        "--place: stm32 has no memory region x\n"
        "  known, nearest first: CCM (ram), FLASH (flash), SRAM (ram)\n"
        "  fix: arena goes to a region of kind ram\n"
    )
    assert [p.name for p in Path().iterdir()] == ["residual.tflite"]
