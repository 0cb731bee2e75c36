"""What does a build directory hold? Read back, and checked to be whole."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcucomp import boards, ir, placement, tflite
from mcucomp.boards import Board
from mcucomp.errors import InvalidInput, printable

MODEL_COPY = "model.tflite"
BOARD_COPY = "board.toml"
PLAN = "plan.json"
REPORT = "report.json"
LOG_FOLDER = "log"
ELF = "firmware.elf"
BINARY = "firmware.bin"

HOW_TO_MAKE_ONE = "'mcucomp build MODEL --board BOARD -o DIR' makes one"


@dataclass(frozen=True, slots=True)
class BuildDirectory:
    """A build that was found whole: its image, and what was predicted of it.

    A device may measure any of `possible_peaks_bytes`: which, depends on the branches that
    it takes. `state_bytes` are what the model keeps from one inference to the next.
    """

    folder: Path
    name: str
    board: Board
    model: bytes
    graph: ir.Graph
    arena_peak_bytes: int
    possible_peaks_bytes: frozenset[int]
    state_bytes: int
    build_id: int
    report: dict[str, Any]

    @property
    def elf(self) -> Path:
        return self.folder / ELF

    @property
    def binary(self) -> Path:
        """The raw image; absent where what is flashed does not lie together."""
        return self.folder / BINARY

    @property
    def log_folder(self) -> Path:
        return self.folder / LOG_FOLDER

    def unchanged(self, tensors: Mapping[int, bytes]) -> dict[int, bytes]:
        """Those of the file's `tensors` that have the same bytes in the graph that runs."""
        changed = self.report.get("changed", ())
        return {index: data for index, data in tensors.items() if index not in changed}

    def told(self, operator: Mapping[str, Any], tensor: int) -> str:
        """An operator of the report, by a tensor that it writes."""
        name = printable(self.graph.tensors[tensor].name)
        return f"operator {operator['operator']} {operator['kind']} ({name})"

    @property
    def output_names(self) -> list[str]:
        return [self.graph.tensors[index].name for index in self.graph.outputs]


def load(folder: Path) -> BuildDirectory:
    """The build directory at `folder`.

    Raises:
        InvalidInput: it is none, a part is missing, or parts do not belong together.
    """
    missing = [
        name for name in (REPORT, MODEL_COPY, BOARD_COPY, ELF) if not (folder / name).is_file()
    ]
    if missing:
        what = "does not exist" if not folder.exists() else f"has no {', '.join(missing)}"
        raise InvalidInput(f"is no build directory: {what}", at=str(folder), fix=HOW_TO_MAKE_ONE)
    try:
        report = json.loads((folder / REPORT).read_text(encoding="utf-8"))
        name, sha256 = report["model"]["name"], report["model"]["sha256"]
        arena_peak_bytes, build_id = int(report["arena_peak_bytes"]), int(report["build_id"])
        possible_peaks_bytes = frozenset(map(int, report["possible_peaks_bytes"]))
        state_bytes = int(report["state_bytes"])
        source = report["model"]["file"]
        regions = dict(report.get("placement") or {})
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput(
            f"is damaged: {type(error).__name__}: {error}",
            at=str(folder / REPORT),
            fix="build again",
        ) from error
    model = (folder / MODEL_COPY).read_bytes()
    if hashlib.sha256(model).hexdigest() != sha256:
        raise InvalidInput(
            "is not the model that this directory was built from (its SHA-256 differs)",
            at=str(folder / MODEL_COPY),
            fix="build again",
        )
    return BuildDirectory(
        folder=folder,
        name=name,
        board=placement.place(
            boards.find(str(folder / BOARD_COPY)), regions, at=str(folder / REPORT)
        ),
        model=model,
        graph=tflite.read(model, source).graphs[0],
        arena_peak_bytes=arena_peak_bytes,
        possible_peaks_bytes=possible_peaks_bytes,
        state_bytes=state_bytes,
        build_id=build_id,
        report=report,
    )
