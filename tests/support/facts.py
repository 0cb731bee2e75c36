"""What was measured elsewhere of the ten models that every build is held to.

The figures and where they are from stand in benchmarks/peer.toml.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

_FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "peer.toml"

TEN_MODELS: dict[str, dict[str, Any]] = tomllib.loads(_FILE.read_text("utf-8"))
TOO_LARGE_FOR_STM32 = "mcunet-vww-int8"

CODE_LIMIT_BYTES = 16 * 1024
