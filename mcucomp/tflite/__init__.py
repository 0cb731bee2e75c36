"""Which model is in these bytes, and which bytes hold this model?

The only room that touches flatbuffers. `read` and `load` turn a `.tflite` file
into an `ir.Model`; `write` turns an `ir.Model` into a file. `unpack` and `repack`
do the same for all that a file holds, so that one thing in it can be changed.
"""

from mcucomp.tflite.reader import load, read, read_file
from mcucomp.tflite.unpack import Values, repack, unpack
from mcucomp.tflite.writer import write

__all__ = ["Values", "load", "read", "read_file", "repack", "unpack", "write"]
