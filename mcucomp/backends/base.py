"""What does a set of kernels replace, and when?

A backend is asked with a portable kernel call, which is the meaning, and
answers with a call of its own that gives the same bytes, or with the reason
why the portable one stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from mcucomp.ops import Clearance, KernelCall, ParamValue

PREFIX = "mcuc_"
BACKWARD = "_backward"  # what the name of a form that runs from the end has at its end


class Refused(Exception):
    """Raised by a rule of a backend: the call cannot be replaced, and why."""


@dataclass(frozen=True, slots=True)
class Backend:
    """A set of kernels.

    `folder` is below the firmware folder. Its kernels are named like the
    portable one that they replace, with `suffix` and perhaps more behind it.
    `cpus` are those that it runs on, None for all. `rules` has functions for
    each portable kernel that it replaces: call in, call out, or `Refused`.
    """

    name: str
    folder: PurePosixPath
    suffix: str
    cpus: frozenset[str] | None
    rules: Mapping[str, tuple[Callable[[KernelCall], KernelCall], ...]] = field(repr=False)
    # Offsets in the arena must be multiples of this.
    alignment: int = 1
    # Whether the table of costs knows its kernels; else they are taken wherever they can be.
    is_measured: bool = True
    # How closely outputs may follow inputs, from a call's parameters, by kernel.
    contracts: Mapping[str, Callable[[Mapping[str, ParamValue]], tuple[Clearance, ...]]] = field(
        repr=False, default_factory=dict
    )

    def runs_on(self, cpu: str) -> bool:
        return self.cpus is None or cpu in self.cpus
