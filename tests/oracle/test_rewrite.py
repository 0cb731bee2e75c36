"""Every shared model that TFLM runs: heads to the byte, outputs the same, never more head."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tflite as schema

from mcucomp import ir, rewriting, tflite
from mcucomp.errors import AnswerIsNo, CheckFailed, ToolFailed, UnsupportedModel
from mcucomp.tflm import KERNELS, Rules, arena_of
from tests.support.shared import models_directory, shared_model, shared_models
from tests.support.tools import require

NAMES = [path.stem for path in sorted(models_directory().glob("*.tflite"))]

# What must be saved under the rules "orders", as head bytes before and at most after.
SAVES = {
    "dfnet2-stateful-int16x8": (137_856, 122_944),
    "lyra-soundstream-encoder": (48_896, 41_472),
    "mediapipe-blazeface-front-int8": (442_368, 344_064),
    "mlperf-vww-mobilenet025-int8": (73_728, 55_296),
    "mww-okay-nabu-v2-int8": (4_096, 2_944),
    "silabs-kws-heygecko-int8": (43_648, 39_680),
}
# Ranges of these take minutes each with the search for their arenas: benchmarks/values.py --check
# has them.
TOO_LARGE_FOR_VALUES = {
    "litert-matmul-int16",
    "movenet-lightning-192-int8",
    "nxp-fastestdet-shufflenetv2-int8",
    "selfie-seg-unet-int8",
    "squeezenet-food101-int8",
}
REFUSED_BY_TFLM = {
    "deeplabv3-mnv2-dm05-uint8",
    "lyra-quantizer-f32",
    "mlperf-kws-dscnn-hybrid",
    "odd-custom-ops-string",
    "odd-dynamic-shapes",
    "odd-string-input",
}


def test_the_shared_models_are_there() -> None:
    shared_models()
    assert set(SAVES) | REFUSED_BY_TFLM | TOO_LARGE_FOR_VALUES <= set(NAMES)


CASES = [
    pytest.param(rules, name, id=f"{rules.value}-{name}")
    for rules in (Rules.ORDERS, Rules.INPLACE, Rules.VALUES)
    for name in sorted(set(NAMES) - REFUSED_BY_TFLM)
    if rules is not Rules.VALUES or name not in TOO_LARGE_FOR_VALUES
]


@pytest.mark.parametrize(("rules", "name"), CASES)
def test_a_rewrite_is_the_same_model_and_needs_less(
    name: str, rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The corridor itself compares heads with the prediction, and outputs; it fails if not."""
    require("tflite_micro")
    monkeypatch.setattr(rewriting, "INPUTS", 2)
    path, output = shared_model(name), tmp_path / "out.tflite"
    original = path.read_bytes()
    try:
        done = rewriting.rewrite(path, output, rules, "reference", verify=True)
    except CheckFailed:
        raise
    except AnswerIsNo:
        assert not output.exists()
        assert name not in SAVES
        if rules is Rules.ORDERS:  # the head of the file as it is, once
            needs = rewriting.arena(path, "reference", measure=True)
            assert needs.host is not None
            assert needs.host.head_bytes == needs.arena.head_bytes
    else:
        assert done.comparison is not None
        before, after = done.comparison.before, done.comparison.after
        assert (before.head_bytes, after.head_bytes) == (
            done.before.head_bytes,
            done.after.head_bytes,
        )
        if rules.has_values:
            assert after.head_bytes <= before.head_bytes
            assert done.rewrite.file_bytes == (len(original), output.stat().st_size)
        else:
            assert after.head_bytes < before.head_bytes
        assert after.smallest_arena_bytes <= before.smallest_arena_bytes
        assert output.stat().st_mode & 0o777 == 0o644
        if name in SAVES:
            head_before, most_after = SAVES[name]
            assert before.head_bytes == head_before
            assert after.head_bytes <= most_after
        if not rules.has_values:
            _assert_all_else_survives(original, output.read_bytes(), name)
    assert path.read_bytes() == original
    assert [p.name for p in tmp_path.iterdir()] in ([], ["out.tflite"])


def _assert_all_else_survives(before: bytes, after: bytes, name: str) -> None:
    """Everything but the operators' order, the entry, and the two fields of a code."""
    a, b = tflite.unpack(before, name), tflite.unpack(after, name)
    for old, new in zip(a.pop("operator_codes"), b.pop("operator_codes"), strict=True):
        code = max(old.pop("builtin_code", 0), old.pop("deprecated_builtin_code", 0))
        assert new.pop("builtin_code") == code
        assert new.pop("deprecated_builtin_code") == min(code, 127)
        assert old == new
    entries = [e for e in b.get("metadata", []) if e["name"] != b"OfflineMemoryAllocation"]
    assert entries == a.pop("metadata", [])
    b.pop("metadata", None)
    old_buffers, new_buffers = a.pop("buffers"), b.pop("buffers")
    assert new_buffers[: len(old_buffers)] == old_buffers
    assert len(new_buffers) <= len(old_buffers) + 1
    for old, new in zip(a.pop("subgraphs"), b.pop("subgraphs"), strict=True):
        assert sorted(map(repr, old.pop("operators", []))) == sorted(
            map(repr, new.pop("operators", []))
        )
        assert _plain(old) == _plain(new)
    assert _plain(a) == _plain(b)


def _plain(values: object) -> object:
    """Arrays as lists, so that values can be compared."""
    if isinstance(values, dict):
        return {key: _plain(value) for key, value in values.items()}
    if isinstance(values, list | tuple):
        return [_plain(value) for value in values]
    return values.tolist() if isinstance(values, np.ndarray) else values


@pytest.mark.parametrize("name", sorted(REFUSED_BY_TFLM & set(NAMES)))
def test_what_tflm_refuses_is_not_written(name: str, tmp_path: Path) -> None:
    require("tflite_micro")
    output = tmp_path / "out.tflite"
    with pytest.raises((ToolFailed, AnswerIsNo, UnsupportedModel)):
        rewriting.rewrite(shared_model(name), output, Rules.ORDERS, "reference", verify=True)
    assert list(tmp_path.iterdir()) == []


# (used, planned, smallest arena) of a Cortex-M4 with reference and with CMSIS-NN kernels, as
# measured elsewhere with TFLM's own sources of August 2026.
CORTEX_M4 = {
    "tflm-person-detect-int8": ((82_292, 55_296, 82_304), (82_308, 55_296, 82_320)),
    "tflm-micro-speech-int8": ((6_788, 5_968, 6_800), (6_836, 5_968, 6_848)),
    "tflm-keyword-scrambled-int8": ((8_052, 672, 10_400), (8_212, 672, 10_560)),
    "tflm-hello-world-int8": ((676, 32, 1_072), (772, 32, 1_168)),
    "mlperf-ic-resnet8-int8": ((54_340, 49_152, 54_352), (54_996, 49_728, 55_008)),
    "mlperf-vww-mobilenet025-int8": ((100_660, 73_728, 100_672), (100_708, 73_728, 100_720)),
    "mlperf-kws-dscnn-int8": ((22_772, 16_000, 22_784), (22_820, 16_000, 22_832)),
    "mlperf-ad-autoencoder-int8": ((2_260, 768, 2_704), (2_580, 768, 3_024)),
    "mlperf-sww-streaming-int8": ((15_252, 6_656, 15_264), (16_596, 7_936, 16_608)),
    "tflm-mnist-lstm-int8": ((3_220, 1_536, 3_232), (4_052, 1_488, 4_064)),
}


@pytest.mark.parametrize("name", sorted(CORTEX_M4))
@pytest.mark.parametrize(("column", "kernels"), [(0, "reference"), (1, "cmsis-nn-dsp")])
def test_what_a_cortex_m4_needs_is_foreseen(name: str, column: int, kernels: str) -> None:
    """Its head to the byte, all of it within the stated uncertainty."""
    model = tflite.load(shared_model(name))
    ir.verify(model)
    used, planned, smallest = CORTEX_M4[name][column]
    found = arena_of(model, KERNELS[kernels])
    assert found.head_bytes == planned
    assert abs(found.target.tail_bytes - (used - planned)) <= found.target.uncertainty_bytes
    assert abs(found.target.smallest_arena_bytes - smallest) <= found.target.uncertainty_bytes


@pytest.mark.parametrize("name", NAMES)
def test_unpacking_and_packing_keeps_every_field(name: str) -> None:
    data = shared_model(name).read_bytes()
    values = tflite.unpack(data, name)
    again = tflite.repack(values)
    assert _plain(tflite.unpack(again, name)) == _plain(values)
    assert tflite.repack(tflite.unpack(again, name)) == again
    file = schema.Model.GetRootAs(again, 0)
    for index, buffer in enumerate(values["buffers"]):
        if buffer.get("data"):
            at = file.Buffers(index)._tab
            assert at.Vector(at.Offset(4)) % 16 == 0, f"buffer {index}"
