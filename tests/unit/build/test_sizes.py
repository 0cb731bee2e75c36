"""What each part of an image takes, beside the symbols that lie in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from mcucomp import build_directory, pipeline
from mcucomp.build.sizes import HARNESS
from mcucomp.paths import firmware_folder
from mcucomp.report.build_text import build_text
from tests.support import tools
from tests.support.models import residual_network

DEFINED = re.compile(r"\b(main|mcuc_\w+)\([^;{}]*?\)\n\{")


def functions_of_the_harness() -> set[str]:
    sources = (firmware_folder() / "runtime").rglob("*.c")
    return {name for s in sources for name in DEFINED.findall(s.read_text("utf-8"))}


def test_the_harness_is_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tools.require("arm-none-eabi-gcc")
    (tmp_path / "net.tflite").write_bytes(residual_network().bytes())
    built = pipeline.build(
        tmp_path / "net.tflite", "mps2-an386", tmp_path / "out", pipeline.Options()
    )
    with (tmp_path / "out" / "firmware.elf").open("rb") as stream:
        elf = ELFFile(stream)
        index = elf.get_section_index(HARNESS)
        assert index is not None
        bytes_of_section = elf.get_section(index)["sh_size"]
        symbols = elf.get_section_by_name(".symtab")
        assert isinstance(symbols, SymbolTableSection)
        inside: set[str] = set()
        outside: set[str] = set()
        for symbol in symbols.iter_symbols():
            info = symbol["st_info"]
            if info["type"] == "STT_FUNC" and info["bind"] == "STB_GLOBAL":
                (inside if symbol["st_shndx"] == index else outside).add(symbol.name)
    known = functions_of_the_harness()
    assert {"main", "mcuc_line_write", "mcuc_run_start"} <= inside <= known
    assert not outside & known

    sizes = build_directory.load(tmp_path / "out").report["sizes"]
    assert sizes["harness_bytes"] == bytes_of_section
    assert 0 < sizes["harness_bytes"] < sizes["flash"]["rest_bytes"]
    assert sizes["flash_bytes"] == sum(sizes["flash"].values())
    assert sizes["code_bytes"] == sizes["flash"]["kernels_bytes"] + sizes["flash"]["rest_bytes"]
    build_text(built)
    printed = " ".join(capsys.readouterr().out.split())
    assert f" of it harness: not in a product {bytes_of_section:,} " in printed
