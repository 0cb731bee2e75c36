"""Which bytes live when?

From a graph and its kernel calls to `StepGraph`: steps and buffers with no
trace of TFLite, which `order/`, `place/` and `certify/` work on.
"""

from mcucomp.memory.lifetimes import lifetimes, live_bytes, round_up
from mcucomp.memory.overlaps import Saving, permits, savings_of
from mcucomp.memory.step_graph import MemoryModel, memory_model
from mcucomp.memory.types import Buffer, Lifetime, Overlap, Step, StepGraph
from mcucomp.memory.uses import TensorUse, unknown_scratch, use_of, uses_of

__all__ = [
    "Buffer",
    "Lifetime",
    "MemoryModel",
    "Overlap",
    "Saving",
    "Step",
    "StepGraph",
    "TensorUse",
    "lifetimes",
    "live_bytes",
    "memory_model",
    "permits",
    "round_up",
    "savings_of",
    "unknown_scratch",
    "use_of",
    "uses_of",
]
