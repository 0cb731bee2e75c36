"""How does a test make a file that no converter would write?

`minimal_values()` are the tables of a small valid file as nested mappings (one
RELU from tensor 0 to tensor 1); a test changes what it likes and packs them
with `file_of`.
"""

from __future__ import annotations

from typing import Any

import flatbuffers

from mcucomp.tflite.packer import pack

RELU = 19
INT8 = 9


def minimal_values() -> dict[str, Any]:
    """The tables of a valid file, fresh at each call."""
    return {
        "version": 3,
        "operator_codes": [{"deprecated_builtin_code": RELU, "builtin_code": RELU}],
        "subgraphs": [
            {
                "tensors": [
                    {"shape": [1, 4], "type": INT8, "buffer": 0, "name": "x"},
                    {"shape": [1, 4], "type": INT8, "buffer": 0, "name": "y"},
                ],
                "inputs": [0],
                "outputs": [1],
                "operators": [{"opcode_index": 0, "inputs": [0], "outputs": [1]}],
            }
        ],
        "buffers": [{}],
    }


def file_of(values: dict[str, Any], identifier: bytes = b"TFL3") -> bytes:
    """The bytes of a file with these tables."""
    builder = flatbuffers.Builder(256)
    builder.Finish(pack(builder, "Model", values), file_identifier=identifier)
    return bytes(builder.Output())
