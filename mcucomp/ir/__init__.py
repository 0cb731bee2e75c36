"""What is a model, once it is no longer a file?

Plain frozen types that every later room shares. `tflite/` makes them from
bytes (and writes them back); `verify` checks that they hang together; nothing
here knows flatbuffers, kernels or memory.
"""

from mcucomp.ir.types import (
    DType,
    Graph,
    Model,
    Operator,
    OptionValue,
    Quantization,
    Tensor,
)
from mcucomp.ir.verify import SUBGRAPH_OPTIONS, verify

__all__ = [
    "SUBGRAPH_OPTIONS",
    "DType",
    "Graph",
    "Model",
    "Operator",
    "OptionValue",
    "Quantization",
    "Tensor",
    "verify",
]
