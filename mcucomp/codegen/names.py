"""How do a model's names become C? Only through here: they are data, not code."""

from __future__ import annotations

import re
import unicodedata

MAX_IDENTIFIER_CHARACTERS = 40


def identifier(name: str) -> str:
    """`name` as the middle of a C identifier: lower case, digits, single underscores.

    Always used behind a prefix (`mcuc_`), so it may start with a digit.
    """
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
    text = re.sub(r"[^a-z0-9]+", "_", ascii_name.lower()).strip("_")
    return text[:MAX_IDENTIFIER_CHARACTERS].strip("_") or "model"


def comment(name: str) -> str:
    """`name` as a word in a C comment: it can neither end the comment nor continue its line."""
    text = re.sub(r"[^A-Za-z0-9_.:/-]", "_", name)
    # Neither "*" nor "\" nor "?" is left; a "/" alone opens a comment only before "/" or "*".
    text = re.sub(r"/+", "/", text)
    return text or "(unnamed)"
