"""Messages of the custom operators that are known, word for word."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from mcucomp.ir import DType
from mcucomp.tflite.custom_options import Number, write_custom_options
from tests.support.changes import Change, operator, option, tensor, violation
from tests.support.models import ModelBuilder

BOOL, F32, I16, I32, U32, U64 = (
    DType.BOOL, DType.FLOAT32, DType.INT16, DType.INT32, DType.UINT32, DType.UINT64,
)  # fmt: skip
Make = Callable[[], ModelBuilder]
Shape = tuple[int, ...]
Given = tuple[Shape, DType] | np.ndarray


def made(
    code: str, inputs: Sequence[Given], outputs: Sequence[tuple[Shape, DType]], **options: Number
) -> Make:
    """A custom operator whose inputs are given by shape, or by value where they are constant."""

    def make() -> ModelBuilder:
        b = ModelBuilder()
        given = [b.constant(x) if isinstance(x, np.ndarray) else b.input(*x) for x in inputs]
        results = [b.tensor(*y) for y in outputs]
        data = write_custom_options(options) if options else b""
        b.operator_into("CUSTOM", given, results, custom_code=code, custom_options=data)
        return b

    return make


def changed(**options: Number) -> Change:
    return option("custom_options", write_custom_options(options))


_BANK = [np.array(row, np.int16) for row in ([1, 2, 3], [4, 5, 6], [0, 1], [0, 1], [1, 2])]
_SUBTRACTION: dict[str, Number] = dict.fromkeys(
    ("smoothing", "alternate_smoothing", "one_minus_smoothing", "alternate_one_minus_smoothing",
     "min_signal_remaining", "smoothing_bits", "spectral_subtraction_bits"), 10,
) | {"clamping": True, "num_channels": 4}  # fmt: skip
_BOXES: dict[str, Number] = {
    "max_detections": 3, "max_classes_per_detection": 1, "num_classes": 2,
    "nms_score_threshold": 0.5, "nms_iou_threshold": 0.5,
    "y_scale": 1.0, "x_scale": 1.0, "h_scale": 1.0, "w_scale": 1.0,
}  # fmt: skip

WINDOW = made("SignalWindow", [((1, 8), I16), np.ones(8, np.int16)], [((1, 8), I16)], shift=12)
SCALE = made("SignalFftAutoScale", [((8,), I16)], [((8,), I16), ((), I32)])
RFFT = made("SignalRfft", [((8,), I16)], [((18,), I16)], T=7, fft_length=16)
IRFFT = made("SignalIrfft", [((18,), I16)], [((16,), I16)], T=7, fft_length=16)
ENERGY = made("SignalEnergy", [((8,), I16)], [((4,), U32)], start_index=1, end_index=3)
BANK = made("SignalFilterBank", [((3,), U32), *_BANK], [((1,), U64)], num_channels=1)
ROOT = made("SignalFilterBankSquareRoot", [((4,), U64), ((), I32)], [((4,), U32)])
LOG = made("SignalFilterBankLog", [((4,), U32)], [((4,), I16)], input_correction_bits=3,
           output_scale=64)  # fmt: skip
PCAN = made("SignalPCAN", [((4,), U32), ((4,), U32), np.zeros(125, np.int16)], [((4,), U32)],
            snr_shift=6)  # fmt: skip
DELAY = made("SignalDelay", [((4,), I16)], [((4,), I16)], delay_length=3)
FRAMER = made("SignalFramer", [((4,), I16)], [((2, 3), I16), ((), BOOL)], frame_size=3,
              frame_step=2, prefill=True)  # fmt: skip
STACKER = made("SignalStacker", [((4,), I16)], [((12,), I16), ((), BOOL)], num_channels=4,
               stacker_left_context=1, stacker_right_context=1, stacker_step=2)  # fmt: skip
ADD = made("SignalOverlapAdd", [((2, 3), I16)], [((4,), I16)], T=7, frame_step=2)
SUBTRACTION = made("SignalFilterBankSpectralSubtraction", [((4,), U32)],
                   [((4,), U32), ((4,), U32)], **_SUBTRACTION)  # fmt: skip
DETECTION = made(
    "TFLite_Detection_PostProcess",
    [((1, 5, 4), F32), ((1, 5, 3), F32), np.zeros((5, 4), np.float32)],
    [((1, 3, 4), F32), ((1, 3), F32), ((1, 3), F32), ((1,), F32)],
    **_BOXES,
)

REFUSED: list[tuple[Make, Change, str]] = [
    (WINDOW, changed(shift=32),
     "custom option shift is a whole number from 0 to 31; found 32"),
    (WINDOW, changed(shift=1, more=2), "custom options are shift; found more, shift"),
    (WINDOW, option("custom_options", b"\x00\xff\x28"), "custom options are shift; found none"),
    (WINDOW, tensor(0, shape=(1, 9)), "input and output have the same shape; found 1x9 and 1x8"),
    (SCALE, operator(outputs=(1,)),
     "input is the only input, with 2 outputs; found 1 input and 1 output"),
    (RFFT, changed(T=2, fft_length=16),
     "custom option T is the number of input's type; found 2 for int16"),
    (RFFT, changed(T=7, fft_length=14),
     "fft_length is even, and its half a product of factors 2, 3 and 5; found 14"),
    (RFFT, changed(T=7, fft_length=8),
     "rows of input have at most fft_length numbers, rows of output two more than it; "
     "found 8 and 18 for 8"),
    (IRFFT, changed(T=7, fft_length=8),
     "rows of input have two numbers more than fft_length, rows of output as many as it; "
     "found 18 and 16 for 8"),
    (ENERGY, changed(start_index=3, end_index=5),
     "the range from start_index to end_index lies inside output; found 3 to 5"),
    (BANK, tensor(3, data=np.array([0, 2], np.int16).tobytes()),
     "each channel lies inside input and weights; found channel 1 from 2 and 1 on, 2 wide"),
    (BANK, changed(num_channels=2),
     "output has num_channels values, starts and widths one more; found 1 and 2 for 2"),
    (ROOT, tensor(1, shape=(1,)), "number of bits has 0 dimensions; found 1 (1)"),
    (LOG, changed(input_correction_bits=3, output_scale=0.5),
     "custom option output_scale is a whole number from 0 to 2,147,483,647; found 0.5"),
    (PCAN, tensor(2, shape=(3,)), "the table of gains has at least 125 values; found 3"),
    (DELAY, changed(delay_length=-1),
     "custom option delay_length is a whole number from 0 to 16,777,216; found -1"),
    (FRAMER, changed(frame_size=3, frame_step=4, prefill=True),
     "frame_step is at most frame_size, and the last dimension a multiple of it; "
     "found 4, 3 and 4"),
    (STACKER, changed(num_channels=4, stacker_left_context=1, stacker_right_context=1,
                      stacker_step=4),
     "stacker_step is at most the number of frames in the output; found 4 for 3"),
    (ADD, changed(T=7, frame_step=4), "frame_step is at most the last dimension; found 4 for 3"),
    (SUBTRACTION, changed(**(_SUBTRACTION | {"num_channels": 3})),
     "input has num_channels values; found 4"),
    (DETECTION, changed(**(_BOXES | {"y_scale": 0.0})),
     "custom options have counts from 1, finite thresholds and scales that are not 0, and "
     "nms_iou_threshold above 0 and at most 1; found y_scale of 0.0"),
    (DETECTION, changed(**(_BOXES | {"max_classes_per_detection": 2})),
     "max_classes_per_detection or num_classes is 1 unless use_regular_nms is set, since TFLM "
     "writes beyond its outputs otherwise; found 2"),
    (DETECTION, changed(**(_BOXES | {"max_detections": 2})),
     "outputs have 4 * max_detections, max_detections, max_detections and 1 elements; "
     "found 12 and 3 and 3 and 1"),
]  # fmt: skip


@pytest.mark.parametrize("make", list(dict.fromkeys(make for make, *_ in REFUSED)))
def test_the_unchanged_operator_is_taken(make: Make) -> None:
    assert violation(make().finish().graphs[0]) is None


@pytest.mark.parametrize(("make", "change", "message"), REFUSED, ids=[m for *_, m in REFUSED])
def test_refused(make: Make, change: Change, message: str) -> None:
    assert violation(change(make().finish().graphs[0])) == message
