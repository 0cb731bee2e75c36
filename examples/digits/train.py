"""How was digits.tflite made?

    python examples/digits/train.py [OUTPUT]

Trains the network, quantises it and writes OUTPUT (default: digits.tflite beside
this file) with digits.json, which states the accuracy on the held-out digits and
the SHA-256 of the model. Needs the extras `examples` and `reference`.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from pathlib import Path

from data import load
from evaluate import MODEL, correct
from network import train
from quantise import quantise
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from mcucomp import tflite
from mcucomp.errors import InvalidInput, McucompError

SEED = 1


def main() -> None:
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else MODEL
    if not output.parent.is_dir():
        raise InvalidInput("there is no such folder", at=str(output.parent))
    training, test = load()
    started_s = time.monotonic()
    # Sums that several threads share out depend on how many there are.
    with threadpool_limits(limits=1):
        network = train(training, seed=SEED)
        right_float = int((network.classify(test.images) == test.labels).sum())
        model = tflite.write(quantise(network, training.images))
    right_int8 = correct(model, test)
    trained_s = time.monotonic() - started_s
    stated = {
        "sha256": hashlib.sha256(model).hexdigest(),
        "model_bytes": len(model),
        "seed": SEED,
        "train_images": len(training.labels),
        "test_images": len(test.labels),
        "correct_float": right_float,
        "correct_int8": right_int8,
    }
    output.write_bytes(model)
    output.with_suffix(".json").write_text(json.dumps(stated, indent=2) + "\n")
    print(f"{output.name}: {len(model):,} B, trained in {trained_s:.1f} s")
    total = len(test.labels)
    for name, right in (("float", right_float), ("int8", right_int8)):
        print(f"{name:5}: {right} of {total} held-out digits ({right / total:.2%})")


if __name__ == "__main__":
    try:
        main()
    except McucompError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
