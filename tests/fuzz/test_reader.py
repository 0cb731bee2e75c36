"""Damaged files give a model or one of our errors, never anything else, and soon."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from mcucomp.errors import InvalidModel, McucompError
from mcucomp.ir import Model
from mcucomp.ir.dump import dump
from mcucomp.ir.verify import verify
from mcucomp.tflite import read
from tests.fuzz.mutations import mutations
from tests.support.files import file_of, minimal_values
from tests.support.models import residual_network
from tests.support.shared import models_directory

SEED = 20240229
SLOWEST_S = 2.0  # of this process; milliseconds are usual
SHARED_MODEL_BYTES = 20_000  # the small ones are damaged more densely


def outcome(data: bytes) -> Model | McucompError:
    """What becomes of `data`; anything but a model or an error of ours escapes and fails."""
    started = time.process_time()
    found = _outcome(data)
    assert time.process_time() - started < SLOWEST_S
    if isinstance(found, McucompError):
        assert "\n" not in found.what
        assert found.fix
        assert str(found).startswith("damaged.tflite: ")
        assert all(line.isprintable() for line in str(found).split("\n"))
    return found


def _outcome(data: bytes) -> Model | McucompError:
    try:
        model = read(data, "damaged.tflite")
        verify(model)
        dump(model)
    except McucompError as error:
        return error
    return model


@pytest.mark.parametrize(
    "data", [residual_network().bytes(), file_of(minimal_values())], ids=["network", "minimal"]
)
def test_cut_short_at_any_byte(data: bytes) -> None:
    whole = read(data, "damaged.tflite")
    for length in range(len(data)):
        found = outcome(data[:length])
        if isinstance(found, Model):  # only padding was lost
            assert found.graphs == whole.graphs
            assert not any(data[length:])
        else:
            assert isinstance(found, InvalidModel)


def test_every_byte_changed_once() -> None:
    data = residual_network().bytes()
    source = random.Random(SEED)
    found = []
    for position in range(len(data)):
        damaged = bytearray(data)
        damaged[position] ^= source.randrange(1, 256)
        found.append(outcome(bytes(damaged)))
    refused = [f for f in found if isinstance(f, McucompError)]
    # Most bytes are values that any other may replace; those of offsets and lengths are not.
    assert len(data) // 20 < len(refused) < len(data)


def test_thousands_of_mutations() -> None:
    source = random.Random(SEED)
    found = [outcome(d) for d in mutations(residual_network().bytes(), 2000, source)]
    refused = [f for f in found if isinstance(f, McucompError)]
    # Both must happen, else the mutations test nothing.
    assert len(refused) > 300
    assert len(found) - len(refused) > 300


def test_bytes_that_never_were_a_model() -> None:
    source = random.Random(SEED)
    for _ in range(500):
        noise = source.randbytes(source.randrange(200))
        assert isinstance(outcome(noise), InvalidModel)
        assert isinstance(outcome(noise[:4].ljust(4, b"\0") + b"TFL3" + noise), InvalidModel)


SHARED = [p for p in sorted(models_directory().glob("*.tflite")) if p.stat().st_size < 2**20]


@pytest.mark.skipif(not SHARED, reason="skipped: no public models (mcucomp zoo fetch --all)")
@pytest.mark.parametrize("path", SHARED, ids=[p.stem for p in SHARED])
def test_shared_models_damaged(path: Path) -> None:
    data = path.read_bytes()
    source = random.Random(SEED)
    is_small = len(data) < SHARED_MODEL_BYTES
    count = 60 if is_small else 4
    assert len([outcome(damaged) for damaged in mutations(data, count, source)]) == count
    lengths = [source.randrange(len(data)) for _ in range(40 if is_small else 4)]
    cut = [outcome(data[:length]) for length in lengths]
    assert any(isinstance(found, InvalidModel) for found in cut)
    for length, found in zip(lengths, cut, strict=True):
        if isinstance(found, Model):  # only what the reader does not want was lost
            assert found.graphs == read(data, "damaged.tflite").graphs, length
