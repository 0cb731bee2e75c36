"""If these bytes are no TFLite file, what are they?

In: a file's bytes. Out: InvalidModel that says what was found and how to get
from there to a TFLite file. A row a format that people have at hand when they
meant a TFLite file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mcucomp.errors import InvalidModel, printable

IDENTIFIER = b"TFL3"
_IDENTIFIER_END = 8  # after the root offset of 4 bytes
_TEXT_SAMPLE_BYTES = 256

_CONVERTER = "tf.lite.TFLiteConverter"


@dataclass(frozen=True, slots=True)
class _Format:
    """A format, how it is recognised, and how to get from it to a TFLite file."""

    name: str
    matches: Callable[[bytes], bool]
    fix: str


def _starts(*prefixes: bytes) -> Callable[[bytes], bool]:
    return lambda data: data.startswith(prefixes)


def _is_onnx(data: bytes) -> bool:
    """Field 1 (IR version, a small number), then field 2 (producer) or 7 (graph)."""
    return len(data) > 2 and data[0] == 0x08 and 3 <= data[1] < 0x20 and data[2] in (0x12, 0x3A)


def _is_text(data: bytes) -> bool:
    sample = data[:_TEXT_SAMPLE_BYTES]
    return all(byte in b"\t\n\r" or 0x20 <= byte < 0x7F for byte in sample)


_FORMATS = (
    _Format(
        "a zip archive, such as a .keras or .pt model",
        _starts(b"PK\x03\x04"),
        f"unpack it, or convert the model in it with {_CONVERTER}",
    ),
    _Format(
        "an HDF5 file, such as a Keras .h5 model",
        _starts(b"\x89HDF\r\n\x1a\n"),
        f"load it with Keras and convert it with {_CONVERTER}.from_keras_model",
    ),
    _Format(
        "a TensorFlow SavedModel",
        _starts(b"\x08\x01\x12"),
        f"convert its directory with {_CONVERTER}.from_saved_model",
    ),
    _Format(
        "an ONNX model",
        _is_onnx,
        "convert it to TFLite, for example with onnx2tf",
    ),
    _Format("gzip-compressed data", _starts(b"\x1f\x8b"), "unpack it with gunzip"),
    _Format(
        "a Git LFS pointer, not the file itself",
        _starts(b"version https://git-lfs"),
        "fetch the file with git lfs pull",
    ),
    _Format(
        "a web page",
        lambda data: data[:64].lstrip().lower().startswith((b"<!doctype html", b"<html")),
        "download the raw file, not the page that shows it",
    ),
    _Format("a NumPy array", _starts(b"\x93NUMPY"), "give the model's .tflite file"),
    _Format("an ELF program", _starts(b"\x7fELF"), "give the model's .tflite file"),
    _Format("text", _is_text, "give the model's .tflite file, in binary"),
)


def require_tflite(data: bytes, source: str) -> None:
    """Raise InvalidModel unless `data` carries the identifier of a TFLite file."""
    if data[4:_IDENTIFIER_END] == IDENTIFIER:
        return
    if not data:
        raise InvalidModel("the file is empty", at=source, fix="download or convert the file again")
    for known in _FORMATS:
        if known.matches(data):
            raise InvalidModel(
                f"not a TFLite file; it looks like {known.name}", at=source, fix=known.fix
            )
    if len(data) < _IDENTIFIER_END:
        what = f"not a TFLite file: it has {len(data)} B, less than the header of 8 B"
    else:
        found = printable(data[4:_IDENTIFIER_END].decode("latin-1"))
        what = f'not a TFLite file: its identifier is "{found}", not "TFL3"'
    raise InvalidModel(what, at=source, fix="give a .tflite file, as the converter wrote it")
