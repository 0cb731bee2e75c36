"""What will TensorFlow Lite Micro's own interpreter need, and how can a file make it need less?

In: a model, and the kernel library that the firmware links. Out: the head of
the arena to the byte, an estimate of all of it, and a file whose operators
stand in a better order and whose metadata says where each tensor goes. The
memory model is TFLM's, not ours: its lifetimes, its planner, its scratch.
"""

from mcucomp.tflm.arena import Arena, InUse, Peak, arena_of
from mcucomp.tflm.footprint import Footprint
from mcucomp.tflm.rewrite import Layout, Rewrite, Rules, rewrite
from mcucomp.tflm.scratch import KERNELS, KernelLibrary

__all__ = [
    "KERNELS",
    "Arena",
    "Footprint",
    "InUse",
    "KernelLibrary",
    "Layout",
    "Peak",
    "Rewrite",
    "Rules",
    "arena_of",
    "rewrite",
]
