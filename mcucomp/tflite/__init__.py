"""Which model is in these bytes, and which bytes hold this model?

The only room that touches flatbuffers. `read` and `load` turn a `.tflite` file
into an `ir.Model`; `write` turns an `ir.Model` into a file.
"""

from mcucomp.tflite.reader import load, read, read_file
from mcucomp.tflite.writer import write

__all__ = ["load", "read", "read_file", "write"]
