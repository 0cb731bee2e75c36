"""Files that are no TFLite files are told what they look like."""

from __future__ import annotations

import pytest

from mcucomp.errors import InvalidModel
from mcucomp.tflite import read

TFLITE = "give the model's .tflite file"
CASES = {
    "empty": (b"", "the file is empty", "download or convert the file again"),
    "zip": (
        b"PK\x03\x04\x14\x00\x00\x00",
        "not a TFLite file; it looks like a zip archive, such as a .keras or .pt model",
        "unpack it, or convert the model in it with tf.lite.TFLiteConverter",
    ),
    "hdf5": (
        b"\x89HDF\r\n\x1a\n\x00",
        "not a TFLite file; it looks like an HDF5 file, such as a Keras .h5 model",
        "load it with Keras and convert it with tf.lite.TFLiteConverter.from_keras_model",
    ),
    "saved model": (
        b"\x08\x01\x12\xff\x01",
        "not a TFLite file; it looks like a TensorFlow SavedModel",
        "convert its directory with tf.lite.TFLiteConverter.from_saved_model",
    ),
    "onnx": (
        b"\x08\x07\x12\x07pytorch",
        "not a TFLite file; it looks like an ONNX model",
        "convert it to TFLite, for example with onnx2tf",
    ),
    "gzip": (
        b"\x1f\x8b\x08\x00",
        "not a TFLite file; it looks like gzip-compressed data",
        "unpack it with gunzip",
    ),
    "lfs": (
        b"version https://git-lfs.github.com/spec/v1\n",
        "not a TFLite file; it looks like a Git LFS pointer, not the file itself",
        "fetch the file with git lfs pull",
    ),
    "html": (
        b"\n<!DOCTYPE html><html>",
        "not a TFLite file; it looks like a web page",
        "download the raw file, not the page that shows it",
    ),
    "numpy": (
        b"\x93NUMPY\x01\x00",
        "not a TFLite file; it looks like a NumPy array",
        TFLITE,
    ),
    "elf": (b"\x7fELF\x01\x01", "not a TFLite file; it looks like an ELF program", TFLITE),
    "text": (
        b"const unsigned char model[] = {0x1c, 0x00};",
        "not a TFLite file; it looks like text",
        f"{TFLITE}, in binary",
    ),
    "short": (
        b"\x1c\x00\x00\x00TFL",
        "not a TFLite file: it has 7 B, less than the header of 8 B",
        "give a .tflite file, as the converter wrote it",
    ),
    "other identifier": (
        b"\x1c\x00\x00\x00AB\x1b\xff....",
        'not a TFLite file: its identifier is "AB\\x1bÿ", not "TFL3"',
        "give a .tflite file, as the converter wrote it",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_whole_message(case: str) -> None:
    data, what, fix = CASES[case]
    with pytest.raises(InvalidModel) as caught:
        read(data, "m.tflite")
    assert str(caught.value) == f"m.tflite: {what}\n  fix: {fix}"
