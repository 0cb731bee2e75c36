"""Where does a window (a filter, a pool) lie in its image?

In: an operator with padding, strides and perhaps dilations. Out: the size of
its output and the padding before the first pixel, along height and width, and
the constraints that make both sane.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mcucomp.ops.base import Constraint, Node
from mcucomp.ops.conditions import DIMENSION_MAX, has_option, integer_option

PADDINGS = ("SAME", "VALID")
# Never in a file: the margin of a PAD that was folded in (see rewrite/fold_pad.py), as the
# options pad_top, pad_bottom, pad_left and pad_right.
EXPLICIT = "EXPLICIT"


@dataclass(frozen=True, slots=True)
class WindowAxis:
    """One axis of a window: `taps` of them, `dilation` apart, moved by `stride`.

    `margins` are the pixels before and after the image where `padding` is EXPLICIT.
    """

    in_size: int
    taps: int
    stride: int
    dilation: int
    padding: str
    margins: tuple[int, int] = (0, 0)

    @property
    def extent(self) -> int:
        """From the first tap to the last, inclusive."""
        return (self.taps - 1) * self.dilation + 1

    @property
    def out_size(self) -> int:
        """Number of positions; 0 where the window is larger than the image."""
        if self.padding == "SAME":
            return -(-self.in_size // self.stride)
        room = self.in_size + sum(self.margins) - self.extent + 1
        return max(0, -(-room // self.stride))

    @property
    def pad_before(self) -> int:
        """Taps of the first position that lie before the image; the odd one goes after."""
        if self.padding == EXPLICIT:
            return self.margins[0]
        needed = (self.out_size - 1) * self.stride + self.extent - self.in_size
        return max(0, needed) // 2

    @property
    def pad_after(self) -> int:
        """Taps of the last position that lie behind the image, or pixels that no position needs."""
        if self.padding == EXPLICIT:
            return self.margins[1]
        needed = (self.out_size - 1) * self.stride + self.extent - self.in_size
        return max(0, needed - self.pad_before)


@dataclass(frozen=True, slots=True)
class Window:
    """Height and width of a window."""

    height: WindowAxis
    width: WindowAxis

    def lying(self) -> Window:
        """The same window, turned to lie along a row where image and output are one pixel wide.

        The bytes of image, filter and output stay where they are; kernels take
        neighbours in a row together.
        """
        if self.width.in_size == self.width.taps == self.width.out_size == 1:
            return Window(height=self.width, width=self.height)
        return self


def window_of(node: Node, taps_h: int, taps_w: int, *, dilated: bool) -> Window:
    """The window of an operator whose first input is an NHWC image."""
    _, in_h, in_w, _ = node.input(0).shape
    padding = str(node.option("padding"))

    def axis(size: int, taps: int, letter: str, before: str, after: str) -> WindowAxis:
        dilation = integer_option(node, f"dilation_{letter}_factor") if dilated else 1
        stride = integer_option(node, f"stride_{letter}")
        margins = (0, 0)
        if padding == EXPLICIT:
            margins = (integer_option(node, before), integer_option(node, after))
        return WindowAxis(size, taps, stride, dilation, padding, margins)

    return Window(
        axis(in_h, taps_h, "h", "pad_top", "pad_bottom"),
        axis(in_w, taps_w, "w", "pad_left", "pad_right"),
    )


def window_options(*, dilated: bool) -> tuple[Constraint, ...]:
    """Padding, strides and dilations are known and small enough to count with."""
    names = ["stride_h", "stride_w"]
    if dilated:
        names += ["dilation_h_factor", "dilation_w_factor"]
    return (
        has_option(
            "padding",
            "padding is SAME or VALID",
            lambda value: value in PADDINGS or value == EXPLICIT,
        ),
        *(has_option(name, f"{name} is from 1 to {DIMENSION_MAX:,}", is_step) for name in names),
    )


def is_step(value: object) -> bool:
    return isinstance(value, int) and 1 <= value <= DIMENSION_MAX


def fits_counters(window: Callable[[Node], Window]) -> Constraint:
    """Positions of taps stay within what kernels count with."""

    def found(node: Node) -> str | None:
        both = window(node)
        extents = (both.height.extent, both.width.extent)
        return None if max(extents) <= DIMENSION_MAX else f"{extents[0]}x{extents[1]}"

    return Constraint(f"the window spans at most {DIMENSION_MAX:,} pixels each way", found)
