"""Which calls CMSIS-NN takes, with which scratch, and what is said about a copy of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mcucomp.backends import KernelSet, Selection, Wanted, choose, cmsis_nn, selection_from
from mcucomp.backends.base import Refused
from mcucomp.backends.cmsis_nn_copy import find
from mcucomp.backends.dsp.requantise import array
from mcucomp.errors import InvalidInput
from mcucomp.ops import KernelCall
from mcucomp.pipeline import Options, build
from tests.oracle.cases import Draw
from tests.support import drawn_calls
from tests.support.drawn_calls import plain_pointwise, with_param

ALL = tuple(sorted(set(cmsis_nn.FUNCTIONS.values())))


def replaced(call: KernelCall, cpu: str = "cortex-m4") -> KernelCall:
    (rule,) = cmsis_nn.backend(cpu, ALL).rules[call.kernel]
    return rule(call)


def refusal(call: KernelCall, cpu: str = "cortex-m4") -> str:
    with pytest.raises(Refused) as refused:
        replaced(call, cpu)
    return str(refused.value)


def depthwise(**changed: int) -> KernelCall:
    """8 channels, 3x3, one undilated image unless changed."""
    call = drawn_calls.depthwise_3x3(Draw(1))[0]
    wanted = {"batches": 1, "pad_top": 1, "pad_left": 1, **changed}
    taps = wanted.get("filter_height", 3) * wanted.get("filter_width", 3)
    channels = call.params["channels"]
    return with_param(call, **wanted, filter=np.ones(taps * channels))


@pytest.mark.parametrize(
    ("cpu", "kernel", "scratch_bytes"),
    [
        ("cortex-m0", cmsis_nn.DEPTHWISE_GENERAL, 0),
        ("cortex-m4", cmsis_nn.DEPTHWISE, 2 * 5 * 3),
        ("cortex-m55", cmsis_nn.DEPTHWISE, 4 * 124 * 5 * 3),
    ],
)
def test_depthwise_scratch_depends_on_the_cpu(cpu: str, kernel: str, scratch_bytes: int) -> None:
    call = depthwise(filter_height=5)
    found = replaced(call, cpu)
    lanes = call.params["channels"] if cpu == "cortex-m4" else 1
    assert (found.kernel, found.scratch_bytes) == (kernel, lanes * scratch_bytes)
    assert found.params.get("scratch_bytes", 0) == found.scratch_bytes


def test_depthwise_kernels_have_their_conditions() -> None:
    assert replaced(depthwise()).kernel == cmsis_nn.DEPTHWISE_3X3
    assert replaced(depthwise(), "cortex-m55").kernel == cmsis_nn.DEPTHWISE
    assert replaced(depthwise(pad_left=2)).kernel == cmsis_nn.DEPTHWISE
    for changed in ({"batches": 2}, {"dilation_h": 2}):
        assert replaced(depthwise(**changed)).kernel == cmsis_nn.DEPTHWISE_GENERAL


def test_a_convolution_gets_columns_of_scratch() -> None:
    call = drawn_calls.convolution_3x3(Draw(2))[0]
    taps = 9 * call.params["group_in_channels"]
    for cpu, scratch_bytes in (("cortex-m0", 4 * taps), ("cortex-m55", 64 * -(-taps // 16))):
        found = replaced(call, cpu)
        assert (found.kernel, found.scratch_bytes) == (cmsis_nn.CONVOLUTION, scratch_bytes)


def test_the_zero_point_leaves_the_bias_and_comes_back_as_an_offset() -> None:
    call = drawn_calls.convolution_3x3(Draw(2))[0]
    found = replaced(call)
    zero_point = call.params["in_zero_point"]
    sums = array(found, "filter").reshape(call.params["group_out_channels"], -1).sum(axis=1)
    assert found.params["in_offset"] == -zero_point
    assert (array(found, "bias") - zero_point * sums == array(call, "bias")).all()


def test_what_is_refused() -> None:
    convolution = drawn_calls.convolution(Draw(2))[0]
    assert refusal(with_param(convolution, groups=2)) == (
        "it has several groups, which not every release of CMSIS-NN takes"
    )
    pool = with_param(drawn_calls.average_pool(Draw(1))[0], batches=2)
    assert refusal(pool) == "it has several images, of which release 4.0.0 pools only the first"
    softmax = with_param(drawn_calls.softmax(Draw(1))[0], depth=512)
    assert refusal(softmax) == "for 512 values C leaves the shift of CMSIS-NN undefined"
    replaced(with_param(softmax, depth=511))
    mul = drawn_calls.mul(Draw(3))[0]
    assert refusal(with_param(mul, a_strides=(0, 0, 0, 0, 0, 1))) == "one input is repeated"
    add = with_param(drawn_calls.add(Draw(1))[0], b_right_shift=31)
    assert refusal(add) == "a right shift is 31, which overflows in CMSIS-NN"
    replaced(with_param(add, b_right_shift=30))


def test_a_shift_that_leaves_nothing_becomes_a_multiplier_of_zero() -> None:
    weights, shifts = np.full((2, 4), 100), np.array([8, 31])
    found = replaced(plain_pointwise(weights, np.zeros(2), shifts))
    assert array(found, "multiplier").tolist() == [0x5A7F1234, 0]
    assert array(found, "shift").tolist() == [-8, 0]
    # A sum of 2^30 or more may leave 1.
    large = plain_pointwise(weights, np.array([0, 1 << 30]), shifts)
    assert refusal(large) == "a right shift is 31, which overflows in CMSIS-NN"


def chosen(call: KernelCall, functions: tuple[str, ...], **wanted: int) -> tuple[str, str]:
    asked = Wanted(KernelSet.CMSIS_NN, functions=functions, **wanted)
    (choice,) = choose([call], Selection("cortex-m4", asked), 4)
    return choice.backend, choice.reason


def test_it_is_taken_where_it_can_be_and_portable_kernels_elsewhere() -> None:
    call = drawn_calls.softmax(Draw(1))[0]
    assert chosen(call, ALL) == ("cmsis-nn", "the only one; cmsis-nn was asked for")
    assert chosen(call, ()) == (
        "portable",
        "the only one; this copy of CMSIS-NN has no arm_softmax_s8",
    )
    lookup = KernelCall("mcuc_lookup_s8", {"size": 1}, (0,), (1,))
    assert chosen(lookup, ALL) == ("portable", "the only one; cmsis-nn has no kernel for it")


def test_a_flash_budget_cannot_be_kept() -> None:
    with pytest.raises(InvalidInput) as failure:
        chosen(drawn_calls.softmax(Draw(1))[0], ALL, flash_budget_bytes=1000)
    assert str(failure.value) == (
        "--flash-budget: what the code of CMSIS-NN takes is not known before it is compiled\n"
        "  fix: leave it out, or choose from other kernels than cmsis-nn"
    )


def test_the_host_has_none() -> None:
    with pytest.raises(InvalidInput) as failure:
        choose([], Selection("host", Wanted(KernelSet.CMSIS_NN)), 4)
    assert str(failure.value) == (
        "--kernels: the cmsis-nn kernels do not run on host\n"
        "  fix: leave the option out, or choose a Cortex-M"
    )


def test_a_selection_with_functions_survives_a_document() -> None:
    selection = Selection("cortex-m4", Wanted(KernelSet.CMSIS_NN, functions=ALL))
    assert selection_from(selection.members()) == selection
    assert selection_from({**selection.members(), "functions": [1]}) is None
    assert selection_from({**selection.members(), "functions": "arm_softmax_s8"}) is None


def made_copy(folder: Path, header: str = "") -> Path:
    """A copy with a softmax that calls another file, and a file that nobody calls."""
    root = folder / "CMSIS-NN"
    (root / "Include").mkdir(parents=True)
    (root / "Include" / "arm_nnfunctions.h").write_text(header)
    (root / "Source").mkdir()
    for name, text in {
        "softmax.c": "void arm_softmax_s8(int x)\n{\n    arm_common(x);\n}\n",
        "common.c": "static void\narm_common(int x)\n{\n}\n",
        "other.c": "int arm_other(int x)\n{\n    return arm_softmax_s8(x);\n}\n",
    }.items():
        (root / "Source" / name).write_text(text)
    return root


def test_a_copy_says_what_it_has_and_what_is_compiled(tmp_path: Path) -> None:
    copy = find(made_copy(tmp_path))
    assert copy.functions == ("arm_softmax_s8",)
    assert copy.headers == (tmp_path / "CMSIS-NN" / "Include",)
    sources = copy.sources([cmsis_nn.SOFTMAX, "mcuc_add_s8"])
    assert [path.name for path in sources] == ["common.c", "softmax.c"]
    assert copy.sources(["mcuc_add_s8"]) == ()


def test_cmsis_core_is_found_beside_it_where_its_headers_want_that(tmp_path: Path) -> None:
    root = made_copy(tmp_path, '#include "cmsis_compiler.h"\n')
    with pytest.raises(InvalidInput) as failure:
        find(root)
    assert str(failure.value) == (
        "--cmsis-nn: its headers include cmsis_compiler.h of CMSIS-Core, which is in no folder "
        f"beside {root}\n"
        "  fix: put CMSIS-Core, with Include/ or Core/Include/, beside it, or take a later CMSIS-NN"
    )
    core = tmp_path / "CMSIS_5" / "CMSIS" / "Core" / "Include"
    core.mkdir(parents=True)
    (core / "cmsis_compiler.h").touch()
    assert find(root).headers == (root / "Include", core)


def test_a_folder_that_is_no_copy(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as failure:
        find(tmp_path)
    assert str(failure.value) == (
        f"--cmsis-nn: {tmp_path} has no Include/arm_nnfunctions.h\n"
        "  fix: name the folder of CMSIS-NN that holds Include/ and Source/"
    )


@pytest.mark.parametrize(
    ("kernels", "folder", "message"),
    [
        (KernelSet.CMSIS_NN, None, "--kernels: kernels of CMSIS-NN need a copy of it"),
        (
            KernelSet.AUTO,
            Path("CMSIS-NN"),
            "--cmsis-nn: --kernels auto takes nothing from a copy of CMSIS-NN",
        ),
    ],
)
def test_kernels_and_copy_come_together(
    kernels: KernelSet, folder: Path | None, message: str, tmp_path: Path
) -> None:
    options = Options(kernels=Wanted(kernels), cmsis_nn=folder)
    with pytest.raises(InvalidInput) as failure:
        build(tmp_path / "no.tflite", "mps2-an386", tmp_path / "out", options)
    fix = "give --kernels cmsis-nn and --cmsis-nn PATH together"
    assert str(failure.value) == f"{message}\n  fix: {fix}"
