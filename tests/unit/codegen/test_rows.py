"""The C of plans in rows does what they say, wherever rows lie and in whatever order they come."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mcucomp.build.toolchain import LANGUAGE_FLAGS, WARNING_FLAGS
from mcucomp.codegen import RowProgram, Sources, emit_rows
from mcucomp.ir import Model
from mcucomp.ops import lower
from tests.support import tools
from tests.support.kernel_runner import FIRMWARE, run_model
from tests.support.models import ModelBuilder
from tests.support.row_plans import forms_of, scattered_plan

DRAW_SEED = 3


def network(draw: np.random.Generator) -> Model:
    """Every way to run in rows: windows, branches, a margin, sums, and what runs whole."""
    b = ModelBuilder()
    q: dict[str, Any] = {"scale": 0.05, "zero_point": -3}
    same: dict[str, Any] = {"padding": "SAME", "stride_h": 1, "stride_w": 1}

    def layer(kind: str, x: int, size: int, taps: int, outputs: int, **options: Any) -> int:
        channels = b.tensors[x].shape[3]
        shape = (outputs, taps, taps, channels)
        if kind == "DEPTHWISE_CONV_2D":
            shape, options = (1, taps, taps, channels), {**options, "depth_multiplier": 1}
        weights = b.constant(draw.integers(-127, 128, shape, dtype=np.int8), (0.01,))
        bias = b.constant(draw.integers(-99, 99, outputs, dtype=np.int32), (0.0005,))
        return b.operator(kind, (x, weights, bias), (1, size, size, outputs), **q,
                          **{**same, **options})  # fmt: skip

    x = b.input((1, 12, 12, 3), **q)
    x = layer("CONV_2D", x, 6, 3, 8, stride_h=2, stride_w=2)
    y = layer("DEPTHWISE_CONV_2D", x, 6, 3, 8)
    y = layer("CONV_2D", y, 6, 1, 8)
    x = b.operator("ADD", (x, y), (1, 6, 6, 8), **q)
    x = b.operator("PAD", (x, b.constant(np.array([[0, 0], [1, 0], [0, 1], [0, 0]], np.int32))),
                   (1, 7, 7, 8), **q)  # fmt: skip
    x = b.operator("MAX_POOL_2D", (x,), (1, 4, 4, 8), **q, filter_height=2, filter_width=2,
                   padding="SAME", stride_h=2, stride_w=2)  # fmt: skip
    size = b.constant(np.array([8, 8], np.int32))
    x = b.operator("RESIZE_NEAREST_NEIGHBOR", (x, size), (1, 8, 8, 8), **q)
    y = layer("CONV_2D", x, 8, 5, 5)
    x = b.operator("CONCATENATION", (x, y), (1, 8, 8, 13), **q, axis=3)
    size = b.constant(np.array([11, 7], np.int32))
    x = b.operator("RESIZE_BILINEAR", (x, size), (1, 11, 7, 13), **q, half_pixel_centers=True)
    x = b.operator("MEAN", (x, b.constant(np.array([1, 2], np.int32))), (1, 13), **q)
    weights = b.constant(draw.integers(-127, 128, (4, 13), dtype=np.int8), (0.02,))
    b.operator("FULLY_CONNECTED", (x, weights), (1, 4), scale=0.1)
    return b.finish()


def _program(model: Model, *, is_pulled: bool, is_streamed: bool = False) -> RowProgram:
    graph, calls = model.graphs[0], lower(model)[0]
    forms = forms_of(graph, calls)
    draw = np.random.default_rng(DRAW_SEED)
    streamed = graph.inputs if is_streamed else ()
    plan = scattered_plan(graph, calls, forms, draw, streamed=streamed, is_pulled=is_pulled)
    return RowProgram(model, calls, forms, plan, 4)


def _library(folder: Path, sources: Sources) -> ctypes.CDLL:
    """The generated code with its kernels, compiled with all warnings as errors."""
    tools.require("gcc")
    for file, text in sources.files.items():
        (folder / file).write_text(text)
    kernels = [FIRMWARE / "kernels" / "portable" / f"{k.removeprefix('mcuc_')}.c"
               for k in sources.kernels]  # fmt: skip
    flags = [
        *LANGUAGE_FLAGS,
        *WARNING_FLAGS,
        "-O1",
        "-fPIC",
        "-shared",
        f"-I{FIRMWARE / 'include'}",
    ]
    files = ["model.c", "weights.c", *map(str, kernels)]
    subprocess.run(["gcc", *flags, "-o", "model.so", *files, "-lm"], check=True, cwd=folder)
    return ctypes.CDLL(str(folder / "model.so"))


class _State(ctypes.Structure):
    _fields_ = [
        ("arena", ctypes.c_void_p),
        ("position", ctypes.c_int32),
        ("on_step", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
    ]


def _ready(library: ctypes.CDLL, arena_bytes: int) -> tuple[_State, np.ndarray]:
    arena = np.random.default_rng(5).integers(0, 256, arena_bytes + 16, dtype=np.uint8)
    start = -arena.ctypes.data % 16
    state = _State()
    status = library.mcuc_m_init(
        ctypes.byref(state),
        ctypes.c_void_p(arena.ctypes.data + start),
        ctypes.c_size_t(arena_bytes),
    )
    assert status == 0
    return state, arena


@pytest.mark.parametrize("is_pulled", [False, True], ids=["operator after operator", "pulled"])
@pytest.mark.parametrize("is_streamed", [False, True], ids=["resident", "streamed"])
def test_scattered_rows_give_what_whole_tensors_give(
    tmp_path: Path, is_pulled: bool, is_streamed: bool
) -> None:
    draw = np.random.default_rng(DRAW_SEED)
    model = network(draw)
    program = _program(model, is_pulled=is_pulled, is_streamed=is_streamed)
    sources = emit_rows("m", program)
    library = _library(tmp_path, sources)
    state, arena = _ready(library, program.plan.arena_bytes)
    for _ in range(3):
        values = draw.integers(-128, 128, (1, 12, 12, 3), dtype=np.int8)
        output = np.zeros(4, np.int8)
        status = library.mcuc_m_run(
            ctypes.byref(state), ctypes.c_void_p(values.ctypes.data),
            ctypes.c_void_p(output.ctypes.data),
        )  # fmt: skip
        assert status == 0
        assert np.array_equal(output, run_model(model, [values])[0].ravel())
    assert arena.size


def test_rows_are_taken_one_by_one_and_no_more(tmp_path: Path) -> None:
    """A row is copied: what the application does with it afterwards does not matter."""
    draw = np.random.default_rng(DRAW_SEED)
    model = network(draw)
    program = _program(model, is_pulled=True, is_streamed=True)
    library = _library(tmp_path, emit_rows("m", program))
    state, arena = _ready(library, program.plan.arena_bytes)
    values = draw.integers(-128, 128, (1, 12, 12, 3), dtype=np.int8)
    given, row = np.zeros(36, np.int8), ctypes.c_int32()
    asked = []
    while library.mcuc_m_wanted(ctypes.byref(state), ctypes.byref(row)) == 0:
        asked.append(row.value)
        given[:] = values[0, row.value].ravel()
        pointer = ctypes.c_void_p(given.ctypes.data)
        assert library.mcuc_m_push_row(ctypes.byref(state), pointer) == 0
        given[:] = 0
    assert asked == list(range(12))
    no_row_wanted = 4
    pointer = ctypes.c_void_p(given.ctypes.data)
    assert library.mcuc_m_push_row(ctypes.byref(state), pointer) == no_row_wanted
    library.mcuc_m_output.restype = ctypes.POINTER(ctypes.c_int8)
    found = library.mcuc_m_output(ctypes.byref(state))[:4]
    assert found == run_model(model, [values])[0].ravel().tolist()
    assert arena.size


def test_the_plan_is_the_header_comment() -> None:
    model = network(np.random.default_rng(DRAW_SEED))
    program = _program(model, is_pulled=False)
    text = emit_rows("m", program).files["model.c"]
    steps = len(program.plan.steps)
    arena_bytes = program.plan.arena_bytes
    assert f"The plan: 12 operators in {steps} steps" in text
    assert f"arena {arena_bytes} bytes" in text
    assert " *   0  CONV_2D                6 rows                reads  " in text
    assert " *  10  MEAN                   sums of 11 rows       reads  " in text
    assert " *  11  FULLY_CONNECTED        whole                 reads  " in text


def test_tables_count_as_constants() -> None:
    """An address is two bytes; rows that lie side by side need none, unless they repeat.

    Bilinear resizing has two tables: of the row above each, and of the row below.
    """
    model = network(np.random.default_rng(DRAW_SEED))
    scattered = emit_rows("m", _program(model, is_pulled=True))
    assert "uint16_t mcuc_m_" in scattered.files["weights.h"]
    rows = sum(len(r) for r in _program(model, is_pulled=True).plan.row_offsets.values())
    kept = emit_rows("m", _in_pieces(model))
    resized = [
        "operator6_input0_rows[8]",
        "operator9_input0_rows[11]",
        "operator9_input0_rows1[11]",
    ]
    expected = [f"extern const uint16_t mcuc_m_{table};" for table in resized]
    assert [x for x in kept.files["weights.h"].splitlines() if "uint16_t" in x] == expected
    assert scattered.constants_bytes > kept.constants_bytes + rows


def _in_pieces(model: Model) -> RowProgram:
    """The same with every tensor in one piece and one place for each scratch and state."""
    program = _program(model, is_pulled=False)
    graph, plan = model.graphs[0], program.plan
    at, places = 0, {}
    for t in (*plan.row_offsets, *plan.tensor_offsets):
        places[t] = at
        at += -(-graph.tensors[t].size_bytes // 4) * 4
    scratch = [None if s is None else at for s in plan.scratch_offsets]
    states = dict.fromkeys(plan.state_offsets, at + 4096)
    changed = type(plan)(plan.steps, {}, places, tuple(scratch), states, at + 8192)
    return RowProgram(model, program.calls, program.forms, changed, 4)
