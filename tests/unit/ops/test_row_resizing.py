"""Which rows bilinear resizing reads for each of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mcucomp.ops import lower
from mcucomp.ops.row_forms import RowForm, Rows, row_form
from tests.support.models import ModelBuilder

Image = tuple[int, int, int, int]


def _form(before: Image, after: Image, **options: Any) -> RowForm | None:
    b = ModelBuilder()
    x = b.input(before, scale=0.1)
    size = b.constant(np.array(after[1:3], np.int32))
    b.operator("RESIZE_BILINEAR", (x, size), after, scale=0.1, **options)
    rows = [Rows(height, width * channels) for _, height, width, channels in (before, after)]
    return row_form(lower(b.finish())[0][0], rows[:1], rows[1])


def test_a_row_that_lies_on_one_of_the_input_needs_no_other() -> None:
    form = _form((1, 3, 4, 2), (1, 5, 4, 2), align_corners=True)
    assert form is not None
    assert [form.windows[0].rows(y) for y in range(5)] == [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)]


def test_rows_at_the_edges_lie_between_no_others() -> None:
    form = _form((1, 3, 4, 2), (1, 6, 4, 2), half_pixel_centers=True)
    assert form is not None
    rows = [form.windows[0].rows(y) for y in range(6)]
    assert rows == [(0, 0), (0, 1), (0, 1), (1, 2), (1, 2), (2, 2)]


@pytest.mark.parametrize("width", [1, 3, 8])
def test_a_row_has_the_clearance_of_an_image_of_one_row(width: int) -> None:
    before, after = (1, 1, 4, 2), (1, 1, width, 2)
    form = _form(before, after, half_pixel_centers=True)
    assert form is not None
    b = ModelBuilder()
    size = b.constant(np.array(after[1:3], np.int32))
    b.operator("RESIZE_BILINEAR", (b.input(before, scale=0.1), size), after, scale=0.1,
               half_pixel_centers=True)  # fmt: skip
    (clearance,) = lower(b.finish())[0][0].clearances
    assert form.windows[0].clearance_bytes == clearance.low_bytes


def test_several_images_have_no_rows() -> None:
    assert _form((2, 3, 4, 2), (2, 6, 4, 2)) is None
