"""How does a kernel call run one row at a time?

In: a kernel call. Out: its `RowForm`, or None where the call has to run whole.
A row is one index of axis 1 of a tensor [1, height, width, channels]; rows are
contiguous, and every row of a tensor may lie at an address of its own.
One row a kernel in `ROW_FORMS`, by the kernel's name, like `contracts.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from mcucomp.ops.base import ConstantArray, KernelCall, ParamValue


@dataclass(frozen=True, slots=True)
class RowWindow:
    """Which rows of one input a step for output row y reads.

    Rows y * stride // per - pad + dilation * t for t in range(taps), of which those
    outside [0, height) stand for the border. `clearance_bytes`: the step may write its output
    row over the last of them, x, if nobody needs x afterwards and
    address(x) - address(output row) >= clearance_bytes; None where it must not.
    """

    height: int
    row_bytes: int
    taps: int = 1
    stride: int = 1
    dilation: int = 1
    pad: int = 0
    per: int = 1
    clearance_bytes: int | None = None


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
    `const void *const *rows`; whole constants of `reads` follow; then the output row
    (ACCUMULATE: the state, then the whole output), the scratch if there is any, and,
    where `takes_row`, the row's index. A tap outside the image points to `border`,
    a constant row, or is NULL where there is none. Where `as_array` is not set, the
    pointers are arguments of their own: then the kernel is one for whole tensors.
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
    takes_row: bool = False
    as_array: bool = True


RowFormOf = Callable[[KernelCall], "RowForm | None"]

ROW_FORMS: dict[str, RowFormOf] = {}


def row_form(call: KernelCall) -> RowForm | None:
    """How `call` runs in rows; None where it has to run whole."""
    found = ROW_FORMS.get(call.kernel)
    return None if found is None else found(call)
