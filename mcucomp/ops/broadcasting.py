"""Which shape do tensors of different shapes have together?"""

from __future__ import annotations

import itertools


def broadcast_shape(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...] | None:
    """The shape of an element-wise result; None where `a` and `b` do not go together."""
    pairs = list(itertools.zip_longest(reversed(a), reversed(b), fillvalue=1))
    if any(x != y and 1 not in (x, y) for x, y in pairs):
        return None
    return tuple(max(x, y) for x, y in reversed(pairs))
