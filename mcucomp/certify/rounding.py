"""How many bytes does something take where offsets are multiples of an alignment?"""

from __future__ import annotations

from mcucomp.memory.types import Buffer


def rounded(size_bytes: int, alignment: int) -> int:
    """`size_bytes` up to a multiple of the alignment."""
    return size_bytes + -size_bytes % alignment


def room_of(buffer: Buffer, alignment: int) -> int:
    """What a buffer takes: within a piece its bytes alone, since another follows at once."""
    in_piece = buffer.piece is not None
    return buffer.size_bytes if in_piece else rounded(buffer.size_bytes, alignment)
