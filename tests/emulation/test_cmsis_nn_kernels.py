"""Kernels of CMSIS-NN give the portable kernels' bytes, in the scratch that they ask for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mcucomp import boards
from mcucomp.backends import cmsis_nn
from mcucomp.backends.base import Refused
from mcucomp.backends.cmsis_nn_copy import Copy
from mcucomp.ops import KernelCall
from tests.oracle.cases import Draw
from tests.support import cmsis_nn as installed
from tests.support import drawn_calls, tools
from tests.support.device_runner import Cases, Pair, differences, run_cases

CASES = 16
PAIRS_AN_IMAGE = 120
DRAWN: dict[str, Callable[[Draw], tuple[KernelCall, int, int]]] = {
    "convolution": drawn_calls.convolution,
    "convolution_3x3": drawn_calls.convolution_3x3,
    "pointwise": drawn_calls.pointwise,
    "depthwise_3x3": drawn_calls.depthwise_3x3,
    "depthwise_row": drawn_calls.depthwise_row,
    "depthwise": drawn_calls.depthwise,
    "fully_connected": drawn_calls.fully_connected,
    "add": drawn_calls.add,
    "mul": drawn_calls.mul,
    "average_pool": drawn_calls.average_pool,
    "max_pool": drawn_calls.max_pool,
    "softmax": drawn_calls.softmax,
}
# CMSIS-NN has other code for a Cortex-M3, an M4 and an M55.
BOARDS = ("mps2-an385", "mps2-an386", "mps3-an547")


def pair(kind: str, seed: int, backend: cmsis_nn.Backend) -> Pair | None:
    """A drawn call and what CMSIS-NN has for it, if it has something."""
    call, input_bytes, output_bytes = DRAWN[kind](Draw(seed))
    (rule,) = backend.rules[call.kernel]
    try:
        return Pair(call, rule(call), (input_bytes,) * len(call.reads), output_bytes)
    except Refused:
        return None


@pytest.mark.parametrize("board", BOARDS)
def test_drawn_calls_give_the_portable_bytes(board: str, tmp_path: Path) -> None:
    tools.require("arm-none-eabi-gcc", "qemu-system-arm")
    copy = installed.copy()
    backend = cmsis_nn.backend(boards.find(board).cpu, copy.functions)
    pairs: list[Pair] = []
    for kind in DRAWN:
        found = [pair(kind, seed, backend) for seed in range(CASES)]
        taken = [p for p in found if p is not None]
        # What is refused are several images for a pool, and what the copy has no function for.
        assert len(taken) >= 0.5 * CASES or kind in lacking(copy)
        pairs += taken
    assert len(pairs) > 6 * CASES
    for start in range(0, len(pairs), PAIRS_AN_IMAGE):
        assert differences(pairs[start : start + PAIRS_AN_IMAGE], tmp_path, board, copy) == []


def lacking(copy: Copy) -> set[str]:
    """Kinds of drawn calls whose function the copy has not."""
    wanted = {"add": "elementwise_add", "mul": "elementwise_mul", "softmax": "softmax"}
    return {kind for kind, name in wanted.items() if f"arm_{name}_s8" not in copy.functions}


GETTERS = {
    cmsis_nn.CONVOLUTION: "arm_convolve_wrapper_s8_get_buffer_size"
    "(&(cmsis_nn_conv_params){{0, 0, {tiles}, {{0, 0}}}}, &in, &filter, &out)",
    cmsis_nn.DEPTHWISE: "arm_depthwise_conv_s8_opt_get_buffer_size(&in, &filter)",
    cmsis_nn.AVERAGE_POOL: "arm_avgpool_s8_get_buffer_size(out.w, in.c)",
    cmsis_nn.AVERAGE_POOL_PLAIN: "arm_avgpool_s8_get_buffer_size(out.w, in.c)",
}
# Release 4.0.0 does not round up to whole words, or to half the vectors; later ones do.
ROUNDING_BYTES = {"cortex-m4": 12, "cortex-m55": 32}


@pytest.mark.parametrize("board", BOARDS[1:])
def test_scratch_is_what_the_getters_ask_for(board: str, tmp_path: Path) -> None:
    """A case writes whether what was planned is right, and is compared with one that writes 1."""
    tools.require("arm-none-eabi-gcc", "qemu-system-arm")
    copy = installed.copy()
    cpu = boards.find(board).cpu
    backend = cmsis_nn.backend(cpu, copy.functions)
    calls = [
        found.tested
        for kind in ("convolution", "depthwise", "depthwise_row", "average_pool")
        for seed in range(CASES)
        if (found := pair(kind, seed, backend)) is not None and found.tested.kernel in GETTERS
    ]
    kernels = {call.kernel for call in calls}
    assert {cmsis_nn.CONVOLUTION, cmsis_nn.DEPTHWISE} <= kernels
    text = [
        '#include "cases.h"\n#include <arm_nnfunctions.h>',
        "static void right(const int8_t *a, const int8_t *b, int8_t *output, void *s) "
        "{ (void)a; (void)b; (void)s; *output = 1; }",
        *(getter_case(k, call, ROUNDING_BYTES[cpu]) for k, call in enumerate(calls)),
        f"const test_case test_cases[{len(calls)}] = {{",
        *(f"    {{right, tested_{k}, 0, 0, 1, 0, 0, 0}}," for k in range(len(calls))),
        "};\n",
    ]
    sources = {*copy.sources(kernels)} | {
        file for name, file in copy.files.items() if name.endswith("s8_get_buffer_size")
    }
    cases = Cases("\n".join(text), len(calls), 1)
    lines = run_cases(cases, sorted(sources), tmp_path, board, cmsis_nn=copy)
    assert not [line for line in lines if line.startswith("case ")]


def getter_case(index: int, call: KernelCall, rounding_bytes: int) -> str:
    """A function that writes 1 where the planned scratch holds what is asked, and little more."""
    dims = {
        name: ", ".join(map(str, call.params[f"{member}_size"]))
        for name, member in (("in", "input"), ("filter", "filter"), ("out", "output"))
    }
    tiles = ", ".join(
        f"{{{', '.join(map(str, call.params[name]))}}}"
        for name in ("stride", "padding", "dilation")
        if name in call.params
    )
    getter = GETTERS[call.kernel].format(tiles=tiles)
    return (
        f"static void tested_{index}(const int8_t *a, const int8_t *b, int8_t *output, void *s)\n"
        "{\n    (void)a; (void)b; (void)s;\n"
        + "".join(f"    cmsis_nn_dims {n} = {{{size}}};\n" for n, size in dims.items())
        + "    (void)in; (void)filter; (void)out;\n"
        f"    int32_t over = {call.scratch_bytes} - {getter};\n"
        f"    *output = over >= 0 && over <= {rounding_bytes};\n}}"
    )
