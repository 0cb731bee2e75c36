"""Names of a model that the rest of an image uses too."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcucomp import pipeline
from tests.support import tools
from tests.support.models import residual_network


@pytest.mark.parametrize("name", ["harness", "add", "conv_2d_s8", "line", "mcuc"])
def test_a_model_may_be_named_like_a_part_of_ours(name: str, tmp_path: Path) -> None:
    tools.require("gcc")
    (tmp_path / f"{name}.tflite").write_bytes(residual_network().bytes())
    built = pipeline.build(
        tmp_path / f"{name}.tflite", "host", tmp_path / "out", pipeline.Options()
    )
    assert built.name == name
    assert (tmp_path / "out" / "firmware.elf").is_file()
