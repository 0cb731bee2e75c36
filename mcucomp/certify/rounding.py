"""How many bytes does something take where offsets are multiples of an alignment?"""

from __future__ import annotations


def rounded(size_bytes: int, alignment: int) -> int:
    """`size_bytes` up to a multiple of the alignment."""
    return size_bytes + -size_bytes % alignment
