"""Which bytes live when?

From a graph and its kernel calls to `StepGraph`: steps and buffers with no
trace of TFLite, which `order/`, `place/` and `certify/` work on.
"""

from mcucomp.memory.types import Buffer, Lifetime, Step, StepGraph

__all__ = ["Buffer", "Lifetime", "Step", "StepGraph"]
