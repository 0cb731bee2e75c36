"""Which kernel carries out each operator, and why?

In: portable kernel calls, one an operator, the CPU, and what matters. Out: a
`Choice` each. What a kernel takes in instructions and flash is estimated from
a table that was measured (`costs.toml`); the code of a kernel counts once,
however many operators share it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from mcucomp.backends import cmsis_nn, costs, dsp, portable
from mcucomp.backends.base import Backend, Refused
from mcucomp.errors import DoesNotFit, InvalidInput
from mcucomp.ops import KernelCall, clearances_by, with_contract
from mcucomp.ops.row_forms import ROW_FORMS


class KernelSet(StrEnum):
    """What may be chosen from: every kernel that the CPU runs, or one backend by its name."""

    AUTO = "auto"
    PORTABLE = "portable"
    DSP = "dsp"
    CMSIS_NN = "cmsis-nn"


class Optimize(StrEnum):
    """What matters: instructions, flash, or both: a percent of one is worth one of the other."""

    SPEED = "speed"
    BALANCED = "balanced"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of a choice. `flash_budget_bytes` bounds code and constants of all kernels.

    `functions` are those that the user's copy of CMSIS-NN has, where kernels are taken from it.
    """

    kernels: KernelSet = KernelSet.AUTO
    optimize: Optimize = Optimize.BALANCED
    flash_budget_bytes: int | None = None
    functions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """What decides all choices of a model, beside the model itself and the alignment."""

    cpu: str
    wanted: Wanted = Wanted()

    def members(self) -> dict[str, object]:
        """As documents have it."""
        return {
            "cpu": self.cpu,
            "from": self.wanted.kernels.value,
            "optimize": self.wanted.optimize.value,
            "flash_budget_bytes": self.wanted.flash_budget_bytes,
            **({"functions": list(self.wanted.functions)} if self.wanted.functions else {}),
        }


def selection_from(members: object) -> Selection | None:
    """The inverse of `Selection.members`; None where `members` are no such thing."""
    if not isinstance(members, dict) or not isinstance(cpu := members.get("cpu"), str):
        return None
    budget_bytes = members.get("flash_budget_bytes")
    functions = members.get("functions", [])
    if budget_bytes is not None and type(budget_bytes) is not int:
        return None
    if not isinstance(functions, list) or not all(isinstance(f, str) for f in functions):
        return None
    try:
        wanted = Wanted(
            KernelSet(str(members.get("from"))),
            Optimize(str(members.get("optimize"))),
            budget_bytes,
            tuple(functions),
        )
    except ValueError:
        return None
    found = Selection(cpu, wanted)
    return found if found.members() == members else None


@dataclass(frozen=True, slots=True)
class Choice:
    """The call that was chosen for an operator, whose kernel it is, and the reason in words.

    `instructions` is an estimate for the Cortex-M4; `alternatives` are what
    else would have been possible, as (kernel, instructions, constant bytes).
    """

    call: KernelCall
    backend: str
    reason: str
    instructions: int
    alternatives: tuple[tuple[str, int, int], ...] = ()

    def in_form(self, kernel: str) -> Choice:
        """The same choice with another form of its kernel, with the same parameters, if named."""
        if not kernel:
            return self
        return replace(self, call=replace(self.call, kernel=kernel))


@dataclass(frozen=True, slots=True)
class _Candidate:
    call: KernelCall
    backend: str
    instructions: int
    constant_bytes: int


@dataclass(frozen=True, slots=True)
class _Operator:
    """Ways to carry out one operator, the portable one first, and why others are none."""

    candidates: tuple[_Candidate, ...]
    refusals: tuple[str, ...]


def choose(
    calls: Sequence[KernelCall], selection: Selection, alignment: int, *, in_rows: bool = False
) -> tuple[Choice, ...]:
    """A choice for each of the portable `calls`.

    `alignment` is what offsets in the arena are multiples of. `in_rows`: what can run in rows
    gets a kernel that can.

    Raises:
        InvalidInput: a backend was asked for that the CPU, or the alignment, rules out.
        DoesNotFit: no choice stays within the flash budget.
    """
    wanted = selection.wanted
    rival = dsp.BACKEND
    if wanted.kernels is KernelSet.CMSIS_NN:
        rival = cmsis_nn.backend(selection.cpu, wanted.functions)
        _require_no_budget(wanted)
    problem = _unusable(rival, selection.cpu, alignment)
    if problem is not None and wanted.kernels in (KernelSet.DSP, KernelSet.CMSIS_NN):
        raise problem
    usable = problem is None and wanted.kernels is not KernelSet.PORTABLE
    note = "" if problem is None else problem.what
    if wanted.kernels is KernelSet.PORTABLE:
        note = "asked for with --kernels portable"
    backend = rival if usable else None
    operators = [_operator(call, backend, note, in_rows=in_rows) for call in calls]
    chosen = _best(operators, wanted)
    return tuple(
        _explained(operator, candidate, wanted.optimize)
        for operator, candidate in zip(operators, chosen, strict=True)
    )


def _unusable(backend: Backend, cpu: str, alignment: int) -> InvalidInput | None:
    """Why a backend cannot be used at all."""
    if not backend.runs_on(cpu):
        return InvalidInput(
            f"the {backend.name} kernels do not run on {cpu}",
            at="--kernels",
            fix="leave the option out, or choose " + _CORES_IN_WORDS[backend.name],
        )
    if alignment % backend.alignment:
        return InvalidInput(
            f"the {backend.name} kernels need an alignment of {backend.alignment}, not {alignment}",
            at="--kernels",
            fix=f"use --alignment {backend.alignment} or more",
        )
    return None


_CORES_IN_WORDS = {dsp.BACKEND.name: "a Cortex-M4, M7 or M33", cmsis_nn.NAME: "a Cortex-M"}


def _require_no_budget(wanted: Wanted) -> None:
    if wanted.flash_budget_bytes is not None:
        raise InvalidInput(
            "what the code of CMSIS-NN takes is not known before it is compiled",
            at="--flash-budget",
            fix="leave it out, or choose from other kernels than cmsis-nn",
        )


def _operator(call: KernelCall, backend: Backend | None, note: str, *, in_rows: bool) -> _Operator:
    calls, refusals = [(call, portable.BACKEND.name)], [note]
    if backend is not None:
        rules = backend.rules.get(call.kernel, ())
        refusals = [] if rules else [f"{backend.name} has no kernel for it"]
        for rule in rules:
            try:
                found = rule(call)
                if in_rows and call.kernel in ROW_FORMS and found.kernel not in ROW_FORMS:
                    raise Refused(f"{found.kernel} does not run in rows")
                calls.append((found, backend.name))
            except Refused as refusal:
                refusals.append(str(refusal))
        if not backend.is_measured and len(calls) > 1:
            calls, refusals = calls[1:], [f"{backend.name} was asked for"]
    return _Operator(
        tuple(
            _Candidate(each, name, costs.instructions(each), costs.constant_bytes(each))
            for each, name in calls
        ),
        tuple(refusals),
    )


@dataclass(frozen=True, slots=True)
class _Solution:
    """A candidate for each operator, and what all take; code counts once a kernel."""

    chosen: tuple[_Candidate, ...]
    instructions: int
    flash_bytes: int

    def score(self, optimize: Optimize) -> tuple[int, int]:
        """Less is better."""
        if optimize is Optimize.SPEED:
            return self.instructions, self.flash_bytes
        if optimize is Optimize.SIZE:
            return self.flash_bytes, self.instructions
        return self.instructions * self.flash_bytes, self.flash_bytes


def _best(operators: Sequence[_Operator], wanted: Wanted) -> tuple[_Candidate, ...]:
    """The best solution that was found: from all kernels on, and from the portable ones on, those
    are left out one by one without which it is better.

    Raises:
        DoesNotFit: none keeps to the flash budget.
    """
    every = frozenset(c.call.kernel for o in operators for c in o.candidates)
    plain = frozenset(o.candidates[0].call.kernel for o in operators)
    found = [
        solution
        for start in (every, plain)
        if (solution := _improved(operators, start, wanted)) is not None
    ]
    if not found:
        least = _improved(operators, every, Wanted(optimize=Optimize.SIZE))
        assert least is not None
        raise DoesNotFit(
            f"kernels and their constants take {least.flash_bytes:,} B of flash or more; "
            f"the budget is {wanted.flash_budget_bytes:,} B",
            at="--flash-budget",
            fix="raise the budget, or choose a smaller model",
        )
    return min(found, key=lambda solution: solution.score(wanted.optimize)).chosen


def _improved(
    operators: Sequence[_Operator], kernels: frozenset[str], wanted: Wanted
) -> _Solution | None:
    """The best solution over `kernels` and what is left of them, taking away one after one."""
    best = _solution(operators, kernels, wanted)
    while True:
        smaller = [
            (solution.score(wanted.optimize), kernel, solution)
            for kernel in sorted(kernels)
            if (solution := _solution(operators, kernels - {kernel}, wanted)) is not None
        ]
        if not smaller:
            return best
        score, kernel, solution = min(smaller, key=lambda entry: entry[:2])
        if best is not None and score >= best.score(wanted.optimize):
            return best
        best, kernels = solution, kernels - {kernel}


def _solution(
    operators: Sequence[_Operator], kernels: frozenset[str], wanted: Wanted
) -> _Solution | None:
    """The best with these kernels alone; None where that is impossible, or over the budget."""
    rows = [[c for c in o.candidates if c.call.kernel in kernels] for o in operators]
    if not all(rows):
        return None
    price = {Optimize.SPEED: 0.0, Optimize.SIZE: _SIZE_PRICE}.get(wanted.optimize)
    is_small = wanted.optimize is Optimize.SIZE
    solution = _balanced(rows) if price is None else _at_price(rows, price, is_small)
    if wanted.flash_budget_bytes is None:
        return solution
    price = price or 1.0
    while solution.flash_bytes > wanted.flash_budget_bytes:
        if price > _SIZE_PRICE:
            return None
        solution = _at_price(rows, price, is_small)
        price *= 2
    return solution


# Instructions for a byte: so many that no byte is spent for any number of them.
_SIZE_PRICE = 1e12


def _at_price(
    rows: Sequence[Sequence[_Candidate]], price: float, is_small: bool = False
) -> _Solution:
    """Each operator by itself, a byte of constants being worth `price` instructions."""
    chosen = tuple(
        min(row, key=lambda c: (c.instructions + price * c.constant_bytes, c.constant_bytes))
        for row in rows
    )
    code_bytes = costs.code_bytes((c.call.kernel for c in chosen), is_small=is_small)
    return _Solution(
        chosen,
        sum(c.instructions for c in chosen),
        code_bytes + sum(c.constant_bytes for c in chosen),
    )


def _balanced(rows: Sequence[Sequence[_Candidate]]) -> _Solution:
    """The least product of instructions and bytes: where it is least, a byte is worth as many
    instructions as there are for each byte."""
    best = _at_price(rows, 0.0)
    for _ in range(_BALANCING_ROUNDS):
        price = best.instructions / max(best.flash_bytes, 1)
        solution = _at_price(rows, price)
        if solution.score(Optimize.BALANCED) >= best.score(Optimize.BALANCED):
            break
        best = solution
    return best


_BALANCING_ROUNDS = 10


def _with_contract(chosen: _Candidate, optimize: Optimize) -> KernelCall:
    """What may overlap follows from the kernel that runs, not from the one it replaces."""
    contract = dsp.BACKEND.contracts.get(chosen.call.kernel)
    if contract is None:
        call = with_contract(chosen.call)
    else:
        call = replace(chosen.call, clearances=clearances_by(contract, chosen.call.params))
    if optimize is not Optimize.SIZE:
        return call
    # Another form of a kernel is one more kernel in flash.
    return replace(call, clearances=tuple(c for c in call.clearances if not c.kernel))


def _explained(operator: _Operator, chosen: _Candidate, optimize: Optimize) -> Choice:
    others = [c for c in operator.candidates if c is not chosen]
    if others:
        reason = f"{optimize}: about {chosen.instructions:,} instructions and "
        reason += f"{chosen.constant_bytes:,} B of constants"
        rivals = [f"{c.call.kernel} {c.instructions:,} and {c.constant_bytes:,} B" for c in others]
        reason += f"; {', '.join(rivals)}"
    else:
        reason = "the only one"
    reasons = [reason, *(r for r in operator.refusals if r)]
    return Choice(
        _with_contract(chosen, optimize),
        chosen.backend,
        "; ".join(reasons),
        chosen.instructions,
        tuple((c.call.kernel, c.instructions, c.constant_bytes) for c in others),
    )
