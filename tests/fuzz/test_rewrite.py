"""Damaged files are rewritten or refused with one of our errors, never anything else, and soon."""

from __future__ import annotations

import random
import time

import pytest

from mcucomp import ir, tflite
from mcucomp.errors import McucompError
from mcucomp.tflm import KERNELS, Rules, arena_of, rewrite
from tests.fuzz.mutations import mutations
from tests.support.models import residual_network
from tests.support.shared import models_directory

SLOWEST_S = 5.0
COUNT = 150


def _outcome(data: bytes, kernels: str) -> str:
    """What becomes of `data`; anything but an answer or an error of ours escapes and fails."""
    try:
        model = tflite.read(data, "damaged.tflite")
        ir.verify(model)
        arena_of(model, KERNELS[kernels])
        made = rewrite(model, data, Rules.VALUES_INPLACE, KERNELS[kernels])
        again = tflite.read(made.data, "damaged.tflite")
        ir.verify(again)
        assert arena_of(again, KERNELS[kernels]).head_bytes == made.after.head_bytes
    except McucompError as error:
        text = str(error)
        if not text.startswith("damaged.tflite: ") or not text.replace("\n", "").isprintable():
            pytest.fail(f"a message that does not say where, or not safely: {text!r}")
        return type(error).__name__
    return "rewritten"


def _files() -> dict[str, bytes]:
    shared = {
        path.stem: path.read_bytes()
        for path in sorted(models_directory().glob("*.tflite"))
        if path.stat().st_size < 15_000
    }
    return {"residual": residual_network().bytes(), **shared}


@pytest.mark.parametrize("name", sorted(_files()))
def test_damaged_files(name: str) -> None:
    data = _files()[name]
    source = random.Random(name)
    seen = set()
    for number, damaged in enumerate(mutations(data, COUNT, source)):
        started_s = time.process_time()
        seen.add(_outcome(damaged, tuple(KERNELS)[number % len(KERNELS)]))
        assert time.process_time() - started_s < SLOWEST_S
    # That damage which matters was met, and some that does not.
    assert len(seen) > 1
