"""Damaged files give a model or one of our errors, never anything else, and soon."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcucomp.errors import InvalidModel, McucompError
from mcucomp.ir import Model
from mcucomp.ir.dump import dump
from mcucomp.ir.verify import verify
from mcucomp.tflite import read
from tests.support.files import file_of, minimal_values
from tests.support.models import residual_network
from tests.support.shared import models_directory

SEED = 20240229
SLOWEST_S = 2.0  # milliseconds are usual; a busy machine may stretch them
SHARED_MODEL_BYTES = 20_000  # the small ones are damaged more densely

# Bytes that often turn an offset or a length into a hostile one.
HOSTILE_WORDS = (0, 1, 3, 4, 0x7F, 0xFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFC)


def outcome(data: bytes) -> Model | McucompError:
    """What becomes of `data`; anything but a model or an error of ours escapes and fails."""
    started = time.perf_counter()
    found = _outcome(data)
    assert time.perf_counter() - started < SLOWEST_S
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


def mutations(data: bytes, count: int, source: random.Random) -> Iterator[bytes]:
    """`count` files with one to eight changed bytes, or an aligned word replaced."""
    for _ in range(count):
        damaged = bytearray(data)
        if source.random() < 0.3:
            position = source.randrange(len(data) // 4) * 4
            word = source.choice(HOSTILE_WORDS)
            damaged[position : position + 4] = word.to_bytes(4, "little")
        else:
            for _ in range(source.choice((1, 1, 2, 8))):
                damaged[source.randrange(len(data))] = source.randrange(256)
        yield bytes(damaged)


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
    for position in range(len(data)):
        damaged = bytearray(data)
        damaged[position] ^= source.randrange(1, 256)
        outcome(bytes(damaged))


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


@pytest.mark.skipif(not SHARED, reason="skipped: no shared models (set MCUCOMP_MODELS)")
@pytest.mark.parametrize("path", SHARED, ids=[p.stem for p in SHARED])
def test_shared_models_damaged(path: Path) -> None:
    data = path.read_bytes()
    source = random.Random(SEED)
    is_small = len(data) < SHARED_MODEL_BYTES
    for damaged in mutations(data, 60 if is_small else 4, source):
        outcome(damaged)
    for _ in range(40 if is_small else 4):
        outcome(data[: source.randrange(len(data))])
