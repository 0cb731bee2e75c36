"""Which kernels are chosen for what, and what is said about it."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.backends import (
    KernelSet,
    Optimize,
    Selection,
    Wanted,
    backend_of,
    choose,
    header,
    selection_from,
    source,
)
from mcucomp.backends import costs as costs_module
from mcucomp.errors import DoesNotFit, InvalidInput
from mcucomp.ops import KernelCall
from tests.oracle.cases import Draw
from tests.support import drawn_calls
from tests.support.drawn_calls import plain_pointwise

M4, M0 = "cortex-m4", "cortex-m0"
ALIGNMENT = 4
CONVOLUTION, DSP = "mcuc_conv_2d_s8", "mcuc_conv_2d_s8__dsp"
WINOGRAD = "mcuc_conv_2d_s8__dsp_winograd"


def wide_convolution() -> KernelCall:
    """One for which Winograd's method is faster and takes more flash."""
    for seed in range(100):
        call, input_bytes, _ = drawn_calls.convolution_3x3(Draw(seed), drawn_calls.REAL)
        if call.params["group_in_channels"] == 24 and input_bytes > 10_000:
            return call
    raise AssertionError("no such call was drawn")


def kernels(calls: list[KernelCall], wanted: Wanted, cpu: str = M4) -> list[str]:
    return [choice.call.kernel for choice in choose(calls, Selection(cpu, wanted), ALIGNMENT)]


def flash_bytes(calls: list[KernelCall], wanted: Wanted) -> int:
    chosen = [choice.call for choice in choose(calls, Selection(M4, wanted), ALIGNMENT)]
    constants_bytes = sum(map(costs_module.constant_bytes, chosen))
    return constants_bytes + costs_module.code_bytes(call.kernel for call in chosen)


def test_speed_balance_and_size_differ() -> None:
    calls = [wide_convolution()]
    assert kernels(calls, Wanted(optimize=Optimize.SPEED)) == [WINOGRAD]
    assert kernels(calls, Wanted()) == [DSP]
    (smallest,) = choose(calls, Selection(M4, Wanted(optimize=Optimize.SIZE)), ALIGNMENT)
    assert smallest.call.kernel == CONVOLUTION
    constants = {kernel: constant for kernel, _, constant in smallest.alternatives}
    constants[CONVOLUTION] = costs_module.constant_bytes(smallest.call)
    totals = {
        kernel: costs_module.code_bytes([kernel], is_small=True) + constant_bytes
        for kernel, constant_bytes in constants.items()
    }
    assert totals[CONVOLUTION] < totals[DSP] < totals[WINOGRAD]


def test_the_portable_kernels_stay_where_they_are_asked_for() -> None:
    call = wide_convolution()
    (choice,) = choose([call], Selection(M4, Wanted(kernels=KernelSet.PORTABLE)), ALIGNMENT)
    assert choice.call.params is call.params
    assert choice.backend == "portable"
    assert choice.reason == "the only one; asked for with --kernels portable"


def test_a_cpu_without_the_extension_gets_portable_kernels() -> None:
    call = wide_convolution()
    (choice,) = choose([call], Selection(M0, Wanted()), ALIGNMENT)
    assert choice.call.params is call.params
    assert choice.reason == "the only one; the dsp kernels do not run on cortex-m0"
    with pytest.raises(InvalidInput) as failure:
        choose([call], Selection(M0, Wanted(kernels=KernelSet.DSP)), ALIGNMENT)
    assert str(failure.value) == (
        "--kernels: the dsp kernels do not run on cortex-m0\n"
        "  fix: leave the option out, or choose a Cortex-M4, M7 or M33"
    )


def test_an_alignment_too_small_gets_portable_kernels() -> None:
    call = wide_convolution()
    (choice,) = choose([call], Selection(M4, Wanted()), 2)
    assert choice.call.params is call.params
    assert choice.reason == "the only one; the dsp kernels need an alignment of 4, not 2"
    with pytest.raises(InvalidInput) as failure:
        choose([call], Selection(M4, Wanted(kernels=KernelSet.DSP)), 2)
    assert str(failure.value) == (
        "--kernels: the dsp kernels need an alignment of 4, not 2\n  fix: use --alignment 4 or more"
    )


def test_a_refusal_is_the_reason() -> None:
    weights = np.full((2, 4), -1)
    weights[1, 2] = -128
    (choice,) = choose([plain_pointwise(weights, np.zeros(2))], Selection(M4, Wanted()), ALIGNMENT)
    assert choice.backend == "portable"
    assert choice.reason == "the only one; a weight of -128 has no place beside its neighbour's"


def test_a_reason_names_what_was_chosen_between() -> None:
    (choice,) = choose([wide_convolution()], Selection(M4, Wanted()), ALIGNMENT)
    assert choice.backend == "dsp"
    assert choice.reason.startswith(f"balanced: about {choice.instructions:,} instructions and ")
    assert [name for name, _, _ in choice.alternatives] == [CONVOLUTION, WINOGRAD]


def test_a_budget_is_kept_and_used() -> None:
    calls = [wide_convolution()]
    fastest = Wanted(optimize=Optimize.SPEED)
    largest_bytes = flash_bytes(calls, fastest)
    within = Wanted(optimize=Optimize.SPEED, flash_budget_bytes=largest_bytes)
    assert kernels(calls, within) == [WINOGRAD]
    below = Wanted(optimize=Optimize.SPEED, flash_budget_bytes=largest_bytes - 1)
    assert kernels(calls, below) == [DSP]
    assert flash_bytes(calls, below) < largest_bytes


def test_a_budget_too_small_says_how_much_is_needed() -> None:
    with pytest.raises(DoesNotFit) as failure:
        choose([wide_convolution()], Selection(M4, Wanted(flash_budget_bytes=1000)), ALIGNMENT)
    first, second = str(failure.value).splitlines()
    assert first.startswith("--flash-budget: kernels and their constants take ")
    assert first.endswith(" B of flash or more; the budget is 1,000 B")
    assert second == "  fix: raise the budget, or choose a smaller model"


def test_code_counts_once_for_all_that_share_it() -> None:
    """One small layer is not worth another kernel; among many it comes for free."""
    draw = Draw(5)
    small = drawn_calls.pointwise(draw)[0]
    large = wide_convolution()
    alone = kernels([small], Wanted())
    assert alone == ["mcuc_conv_2d_s8__1x1"]
    assert kernels([small, large], Wanted()) == [DSP, DSP]


def test_names_tell_where_a_kernel_is() -> None:
    assert backend_of(DSP).name == "dsp"
    assert str(source(WINOGRAD)) == "kernels/dsp/conv_2d_s8__dsp_winograd.c"
    assert str(source("mcuc_conv_2d_s8__1x1")) == "kernels/portable/conv_2d_s8__1x1.c"
    assert header(DSP) == "mcuc/conv_2d_s8__dsp.h"


@pytest.mark.parametrize("kernel", costs_module.MEASURED_KERNELS)
def test_the_table_is_whole(kernel: str) -> None:
    entry = costs_module.table()[kernel]
    assert entry["code_bytes"] > 0
    assert entry["small_code_bytes"] > 0
    assert entry["largest_error"] < 0.5
    assert any(value > 0 for value in entry["instructions"].values())


def test_a_selection_survives_a_document() -> None:
    selection = Selection(M4, Wanted(KernelSet.DSP, Optimize.SIZE, 5000))
    assert selection_from(selection.members()) == selection
    for wrong in (None, [], {}, {**selection.members(), "optimize": "fast"}):
        assert selection_from(wrong) is None
    assert selection_from({**selection.members(), "flash_budget_bytes": "1"}) is None
    assert selection_from({**selection.members(), "more": 1}) is None


def test_code_that_kernels_share_counts_once() -> None:
    pair = (CONVOLUTION, "mcuc_conv_2d_s8__1x1")
    for is_small in (False, True):
        shared = [
            costs_module.table()[kernel]["small_code_shared" if is_small else "code_shared"]
            for kernel in pair
        ]
        assert shared[0] == shared[1]
        alone = [costs_module.code_bytes([kernel], is_small=is_small) for kernel in pair]
        together = costs_module.code_bytes(pair, is_small=is_small)
        assert together == sum(alone) - sum(shared[0].values()) < sum(alone)
        assert costs_module.code_bytes([*pair, *pair], is_small=is_small) == together
    assert costs_module.code_bytes(["mcuc_softmax_s8"]) == 0
