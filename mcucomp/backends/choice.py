"""Which kernel carries out each operator, and why?

In: portable kernel calls, one an operator, and the CPU. Out: a `Choice` each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from mcucomp.backends import dsp, portable
from mcucomp.backends.base import Backend, Refused
from mcucomp.errors import InvalidInput
from mcucomp.ops import KernelCall


class KernelSet(StrEnum):
    """What may be chosen from: the fastest that runs on the CPU, or one backend by its name."""

    AUTO = "auto"
    PORTABLE = "portable"
    DSP = "dsp"


@dataclass(frozen=True, slots=True)
class Choice:
    """The call that was chosen for an operator, whose kernel it is, and the reason in words."""

    call: KernelCall
    backend: str
    reason: str


def choose(
    calls: Sequence[KernelCall], cpu: str, alignment: int, kernels: KernelSet = KernelSet.AUTO
) -> tuple[Choice, ...]:
    """A choice for each of the portable `calls`.

    `alignment` is what offsets in the arena are multiples of.

    Raises:
        InvalidInput: a backend was asked for that the CPU, or the alignment, rules out.
    """
    backend = dsp.BACKEND
    if kernels is KernelSet.PORTABLE:
        return _portable(calls, "asked for with --kernels portable")
    if not backend.runs_on(cpu):
        if kernels is KernelSet.DSP:
            raise InvalidInput(
                f"the {backend.name} kernels do not run on {cpu}",
                at="--kernels",
                fix="leave the option out, or choose a board with a Cortex-M4, M7 or M33",
            )
        return _portable(calls, f"{cpu} has no DSP extension")
    if alignment % backend.alignment:
        if kernels is KernelSet.DSP:
            raise InvalidInput(
                f"the {backend.name} kernels need an alignment of {backend.alignment}; "
                f"it is {alignment}",
                at="--kernels",
                fix=f"use --alignment {backend.alignment} or more",
            )
        return _portable(calls, f"the alignment is below {backend.alignment}")
    return tuple(_replaced(call, backend) for call in calls)


def _portable(calls: Sequence[KernelCall], reason: str) -> tuple[Choice, ...]:
    return tuple(Choice(call, portable.BACKEND.name, reason) for call in calls)


def _replaced(call: KernelCall, backend: Backend) -> Choice:
    rule = backend.rules.get(call.kernel)
    if rule is None:
        return Choice(call, portable.BACKEND.name, f"{backend.name} has no kernel for it")
    try:
        return Choice(rule(call), backend.name, "its conditions hold")
    except Refused as refusal:
        return Choice(call, portable.BACKEND.name, str(refusal))
