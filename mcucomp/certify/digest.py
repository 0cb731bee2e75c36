"""Has a document been changed since it was written?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

UNCOVERED = ("digest", "timing")


def digest_of(document: Mapping[str, Any]) -> str:
    """SHA-256 over everything but `digest` and `timing`, keys sorted, no spaces."""
    covered = {key: value for key, value in document.items() if key not in UNCOVERED}
    text = json.dumps(covered, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
