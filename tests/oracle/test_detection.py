"""TFLite_Detection_PostProcess against TFLM."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ir import DType
from tests.oracle.cases import Draw, assert_same, pairs_of_sequence
from tests.oracle.test_signal import add
from tests.support.models import ModelBuilder

F32 = DType.FLOAT32


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("regular", [False, True])
def test_detection(regular: bool, seed: int) -> None:
    """Behind the detections TFLM leaves its outputs as they were."""
    draw = Draw(seed)
    boxes, classes, background = draw.integer(1, 40), draw.integer(1, 4), draw.integer(0, 1)
    most, code_size = draw.integer(1, 12), draw.one_of(4, 6)
    b = ModelBuilder()
    codes = b.input((1, boxes, code_size), F32)
    scores = b.input((1, boxes, classes + background), F32)
    corners = draw.random.uniform(0, 1, (boxes, 2))
    sizes = draw.random.uniform(0.1, 0.5, (boxes, 2))
    anchors = b.constant(np.hstack([corners, sizes]).astype(np.float32))
    shapes = ((1, most, 4), (1, most), (1, most), (1,))
    outputs = [b.tensor(shape, F32) for shape in shapes]
    add(b, "TFLite_Detection_PostProcess", [codes, scores, anchors], outputs,
        max_detections=most, max_classes_per_detection=1, num_classes=classes,
        nms_score_threshold=draw.one_of(0.0, 0.3, 0.8), nms_iou_threshold=draw.one_of(0.2, 0.6),
        y_scale=10.0, x_scale=10.0, h_scale=5.0, w_scale=5.0, use_regular_nms=regular,
        detections_per_class=draw.integer(1, 20))  # fmt: skip
    # Few values, so that scores are equal now and then.
    likely = (draw.random.integers(0, 20, (1, boxes, classes + background)) / 20).astype(np.float32)
    values = [draw.random.normal(0, 1, (1, boxes, code_size)).astype(np.float32), likely]
    ((ours, theirs),) = pairs_of_sequence(b, [values], -1)
    assert_same(ours[3], theirs[3])
    count = int(ours[3][0])
    for got, expected in zip(ours[:3], theirs[:3], strict=True):
        assert_same(got[:, :count], expected[:, :count])
        assert np.count_nonzero(got[:, count:]) == 0
