"""Which digits are trained on, which are held out, and how does a model take them in?

In: scikit-learn's bundled digits, 1797 images of 8x8 pixels with values 0 to 16.
Out: a stratified split with a fixed seed, and the int8 form of images for a
model's input. Nobody who trains, evaluates or demonstrates loads digits elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mcucomp.errors import ToolMissing
from mcucomp.ir import Quantization

CLASSES = 10
IMAGE_SIZE = 8
BRIGHTEST = 16
TEST_SHARE = 0.25
SPLIT_SEED = 20
"""Chosen before any training and never tuned."""

# Pixel p is the real number p / 16, stored as 15 * p - 128: no pixel is rounded,
# and 241 of the 256 codes are in reach.
INPUT_QUANTIZATION = Quantization(scales=(float(np.float32(1 / 240)),), zero_points=(-128,))

Images = npt.NDArray[np.float32]
Labels = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Digits:
    """Images (n, 8, 8, 1) with values 0 to 1, and the digit that each shows (n,)."""

    images: Images
    labels: Labels


def load() -> tuple[Digits, Digits]:
    """The digits to train on, and those held out: the same shares of each class in both.

    Raises ToolMissing where scikit-learn is not installed.
    """
    try:
        from sklearn.datasets import load_digits  # type: ignore[import-untyped]
        from sklearn.model_selection import train_test_split  # type: ignore[import-untyped]
    except ImportError:
        raise ToolMissing(
            "the digits come with scikit-learn, which is not installed",
            fix="pip install -e '.[examples]' in the checkout",
        ) from None
    bunch = load_digits()
    images = (bunch.images / BRIGHTEST).astype(np.float32)[..., np.newaxis]
    train, test = train_test_split(
        np.arange(len(images)),
        test_size=TEST_SHARE,
        random_state=SPLIT_SEED,
        stratify=bunch.target,
    )
    labels = bunch.target.astype(np.int64)
    return Digits(images[train], labels[train]), Digits(images[test], labels[test])


def as_input(images: Images, quantization: Quantization) -> npt.NDArray[np.int8]:
    """`images` as a model takes them whose input has this (per-tensor) quantisation."""
    (scale,), (zero_point,) = quantization.scales, quantization.zero_points
    stored = np.rint(images / np.float64(scale)) + zero_point
    codes: npt.NDArray[np.int8] = np.clip(stored, -128, 127).astype(np.int8)
    return codes
