"""What was measured elsewhere of the ten models that every build is held to.

The figures and where they are from stand in benchmarks/peer.toml.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

_FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "peer.toml"

TEN_MODELS: dict[str, dict[str, Any]] = tomllib.loads(_FILE.read_text("utf-8"))
TOO_LARGE_FOR_STM32 = "mcunet-vww-int8"  # with orders alone

# Bytes of arena that plans with all rules must not exceed, with portable kernels.
MOST_WITH_ALL_RULES = {
    "mlperf-kws-dscnn-int8": 8_700,
    "mlperf-vww-mobilenet025-int8": 37_000,
    "mlperf-ic-resnet8-int8": 33_400,
    "mlperf-ad-autoencoder-int8": 768,
    "mlperf-sww-streaming-int8": 4_150,
    "tflm-micro-speech-int8": 4_200,
    "tflm-person-detect-int8": 37_000,
    "mcunet-vww-int8": 77_500,
    "mcunet-person-det-int8": 165_000,
}
TOO_LARGE_WITH_ALL_RULES = "mcunet-person-det-int8"

CODE_LIMIT_BYTES = 16 * 1024
