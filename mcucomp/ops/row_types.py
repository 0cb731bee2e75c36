"""What is a kernel call in rows? The types.

A row is one index of axis 1 of a tensor [1, height, width, channels]; rows are
contiguous, and every row of a tensor may lie at an address of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from mcucomp.ops.base import ConstantArray, KernelCall, ParamValue


@dataclass(frozen=True, slots=True)
class Rows:
    """A tensor seen in rows: how many there are, and the bytes of each."""

    height: int
    row_bytes: int


@dataclass(frozen=True, slots=True)
class RowWindow:
    """Which rows of one input a step for output row y reads.

    Rows y * stride - pad + dilation * t for t in range(taps), of which those outside
    [0, height) stand for the border; where rows follow no stride, the rows table[y], all of
    them inside. `clearance_bytes`: the step may write its output row over any x of
    them that nobody needs afterwards, if address(x) - address(output row) is at least that;
    None where it must not. (All rows of a window are read pixel by pixel, side by side.)
    `is_exact`: only if it is just that.
    """

    height: int
    row_bytes: int
    taps: int = 1
    stride: int = 1
    dilation: int = 1
    pad: int = 0
    clearance_bytes: int | None = None
    table: tuple[tuple[int, ...], ...] | None = None
    is_exact: bool = False

    def rows(self, y: int) -> tuple[int, ...]:
        """The rows of the window for output row y, the border's among them."""
        if self.table is not None:
            return self.table[y]
        first = y * self.stride - self.pad
        return tuple(first + self.dilation * tap for tap in range(self.taps))


class RowMode(Enum):
    """WINDOW: a step an output row. ACCUMULATE: a step an input row, into `state_bytes` that live
    from the first step to the last, which writes the whole output."""

    WINDOW = "window"
    ACCUMULATE = "accumulate"


@dataclass(frozen=True, slots=True)
class RowForm:
    """A call in rows.

    `kernel` is called once a step, with `params` (which include what it needs of the
    whole call), then a pointer for each tap of each window, in order, as one array
    `const void *const *rows`; then the output row, where `takes_scratch` the scratch
    (NULL if there is none), and where `takes_row` the row's index. One that accumulates
    takes the state before the whole output. A tap outside the image points to `border`,
    a constant row, or is NULL where there is none. Where `as_array` is not set, the
    pointers are arguments of their own: the kernel is then one for whole tensors.
    """

    kernel: str
    params: Mapping[str, ParamValue]
    mode: RowMode
    windows: tuple[RowWindow, ...]
    out_rows: int
    out_row_bytes: int
    scratch_bytes: int = 0
    state_bytes: int = 0
    border: ConstantArray | None = None
    takes_scratch: bool = False
    takes_row: bool = False
    as_array: bool = True


# From a call, each tensor that it reads in rows (None: a constant), and its output in rows.
RowFormOf = Callable[[KernelCall, Sequence[Rows | None], Rows], "RowForm | None"]
# From a call and its geometry, the form with the kernel that carries it out.
Carrier = Callable[[KernelCall, RowForm], RowForm]


def with_clearance(form: RowForm, *low_bytes: int | None) -> RowForm:
    """`form`, each input at least so far above the output; None where any distance will do."""
    windows = tuple(
        replace(w, clearance_bytes=-w.row_bytes if low is None else low)
        for w, low in zip(form.windows, low_bytes, strict=True)
    )
    return replace(form, windows=windows)
