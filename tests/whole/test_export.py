"""Exported packages, built by their build systems into a firmware that runs.

Two models go into one firmware, exported together or one by one. Their names are
chosen to clash, if any can, with files and symbols of kernels that they call.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from mcucomp import pipeline
from mcucomp.backends import KernelSet, Optimize, Selection, Wanted
from mcucomp.check.inputs import drawn
from mcucomp.ir import Model
from mcucomp.tflite import write
from tests.support import application, tools
from tests.support.application import Case
from tests.support.models import ModelBuilder, residual_network
from tests.support.reference import tflm_outputs, tflm_sequence
from tests.support.state_models import MODELS

FIRST, SECOND = "add", "conv_2d_s8"
HOST, ARM = "host", "arm"
TARGETS = pytest.mark.parametrize("target", [HOST, ARM])
HOW = pytest.mark.parametrize("how", ["together", "apart"])


def dense_network() -> ModelBuilder:
    """Two layers of int8; it shares FULLY_CONNECTED and SOFTMAX with the residual network."""
    random = np.random.default_rng(3)
    b = ModelBuilder("dense.tflite")
    x = b.input((1, 20), scale=0.1, zero_point=4)
    w = b.constant(random.integers(-127, 128, (7, 20), dtype=np.int8), scales=(0.01,))
    bias = b.constant(random.integers(-900, 900, 7, dtype=np.int32), scales=(0.001,))
    y = b.operator("FULLY_CONNECTED", (x, w, bias), (1, 7), scale=0.05, zero_point=-2)
    b.operator("SOFTMAX", (y,), (1, 7), scale=1 / 256, zero_point=-128, beta=1.0)
    return b


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Case]]:
    """The folder of both models, and what TFLM answers to one input of each."""
    folder = tmp_path_factory.mktemp("models")
    random = np.random.default_rng(5)
    inputs = {
        FIRST: random.uniform(-5, 5, (1, 6, 6, 3)).astype(np.float32),
        SECOND: random.integers(-128, 128, (1, 20), dtype=np.int8),
    }
    found = []
    for name, builder in ((FIRST, residual_network()), (SECOND, dense_network())):
        data = builder.bytes()
        (folder / f"{name}.tflite").write_bytes(data)
        (expected,) = tflm_outputs(data, [inputs[name]])
        found.append(Case(name, [inputs[name].tobytes()], [expected.tobytes()]))
    return folder, found


def exported(
    models: Path, folder: Path, form: str, how: str, names: Sequence[str] = (FIRST, SECOND)
) -> list[Path]:
    """Packages of the models below `folder`, which is named so that no path is quoted."""
    paths = [models / f"{name}.tflite" for name in names]
    groups = [paths] if how == "together" else [[path] for path in paths]
    packages = []
    for group in groups:
        package = folder / ("mcuc_" + "_".join(path.stem for path in group))
        pipeline.export_sources(group, form, package)
        packages.append(package)
    return packages


def require_target(target: str) -> None:
    tools.require(*(("gcc",) if target == HOST else ("arm-none-eabi-gcc", "qemu-system-arm")))


def outputs(target: str, program: Path) -> str:
    if target == HOST:
        return application.run(program, folder=program.parent)
    return application.run_emulated(program)


TOOLCHAIN_FILE = """
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "{flags}")
"""


def cmake_project(folder: Path, target: str, body: str) -> tuple[str, ...]:
    """Write an application's CMake files; returns the options that configure it."""
    sources = "main.c say.c"
    if target == ARM:
        sources = f"main.c {application.BARE_METAL / 'start.c'}"
        body += f"target_link_options(firmware PRIVATE {' '.join(application.ARM_LINK_FLAGS)})\n"
        toolchain = TOOLCHAIN_FILE.format(flags=" ".join(application.ARM_FLAGS))
        (folder / "arm.cmake").write_text(toolchain)
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.13)\nproject(firmware C)\n"
        f"add_executable(firmware {sources})\n{body}"
    )
    return ("-DCMAKE_TOOLCHAIN_FILE=arm.cmake",) if target == ARM else ()


def cmake_build(folder: Path, target: str, options: tuple[str, ...]) -> str:
    application.run(tools.program("cmake"), "-S", ".", "-B", "build", *options, folder=folder)
    application.run(tools.program("cmake"), "--build", "build", "-j2", folder=folder)
    return outputs(target, folder / "build" / "firmware")


@TARGETS
@HOW
def test_cmake(target: str, how: str, cases: tuple[Path, list[Case]], tmp_path: Path) -> None:
    tools.require("cmake", "make")
    require_target(target)
    packages = exported(cases[0], tmp_path, "cmake", how)
    application.write(tmp_path, [p / "README.md" for p in packages], cases[1])
    body = "".join(
        f"add_subdirectory({p.name})\n"
        f"target_link_libraries(firmware PRIVATE mcuc::{p.name.removeprefix('mcuc_')})\n"
        for p in packages
    )
    options = cmake_project(tmp_path, target, body)
    application.assert_said(cmake_build(tmp_path, target, options), cases[1])


@TARGETS
@HOW
def test_make(target: str, how: str, cases: tuple[Path, list[Case]], tmp_path: Path) -> None:
    tools.require("make")
    require_target(target)
    packages = exported(cases[0], tmp_path, "make", how)
    application.assert_said(made(target, packages, cases[1], tmp_path), cases[1])


def made(target: str, packages: list[Path], cases: list[Case], folder: Path) -> str:
    """What a program says whose packages in `folder` are built by make."""
    sources = application.write(folder, [p / "README.md" for p in packages], cases)
    compiler, flags, link_flags, extra = "gcc", ("-O2",), (), ()
    if target == ARM:
        compiler, extra = "arm-none-eabi-gcc", ("CROSS=arm-none-eabi-",)
        flags, link_flags = application.ARM_FLAGS, application.ARM_LINK_FLAGS
        sources = ["main.c", str(application.BARE_METAL / "start.c")]
    used = []
    for package in packages:
        options = (*extra, f"CFLAGS={' '.join(flags)}")
        application.run("make", "-C", package, "-j2", *options, folder=folder)
        used += [f"-I{package}/include", f"{package}/build/lib{package.name}.a"]
    command = (compiler, *flags, *link_flags, "-o", "firmware", *sources, *used)
    application.run(*command, folder=folder)
    return outputs(target, folder / "firmware")


STATE_STEPS, RESET_BEFORE = 6, 3


def turns_of(name: str, model: Model, seed: int) -> list[Case]:
    """TFLM's answers over inferences that follow each other; the ring alone is reset half way."""
    graph, reset = model.graphs[0], RESET_BEFORE if name == "ring" else -1
    rows = drawn(graph, STATE_STEPS, seed)
    tensors = [graph.tensors[index] for index in graph.inputs]
    steps = [
        [
            np.frombuffer(values, t.dtype.value).reshape(t.shape)
            for t, values in zip(tensors, row, strict=True)
        ]
        for row in rows
    ]
    answers = tflm_sequence(write(model), steps, len(graph.outputs), reset)
    first = {reset: f"mcuc_{name}_reset(&state_{name});"}
    if name != "branches":
        first[0] = f"if (start_{name}() != 0) {{ return 1; }}"
    return [
        Case(name, row, [values.tobytes() for values in answer], first.get(step, ""))
        for step, (row, answer) in enumerate(zip(rows, answers, strict=True))
    ]


@TARGETS
@HOW
def test_state_and_control_flow_in_one_image(target: str, how: str, tmp_path: Path) -> None:
    """Two models with state and one with IF take turns; a reset of one leaves the other alone."""
    tools.require("make", "tflite_micro")
    require_target(target)
    names, columns = ("ring", "rounds", "branches"), []
    for seed, name in enumerate(names):
        model = MODELS[name]()
        (tmp_path / f"{name}.tflite").write_bytes(write(model))
        columns.append(turns_of(name, model, seed))
    cases = [case for turn in zip(*columns, strict=True) for case in turn]
    packages = exported(tmp_path, tmp_path, "make", how, names)
    application.assert_said(made(target, packages, cases, tmp_path), cases)


def test_kernels_for_a_cpu(cases: tuple[Path, list[Case]], tmp_path: Path) -> None:
    """They come along, give the same bytes there, and tell another CPU's compiler why not."""
    tools.require("make")
    require_target(ARM)
    package = tmp_path / "mcuc_add_conv_2d_s8"
    models = [cases[0] / f"{name}.tflite" for name in (FIRST, SECOND)]
    selection = Selection("cortex-m4", Wanted(KernelSet.AUTO, Optimize.SPEED))
    pipeline.export_sources(models, "make", package, selection=selection)
    special = "mcuc_fully_connected_s8__dsp.c"
    assert (package / "src" / special).is_file()
    readme = (package / "README.md").read_text("utf-8")
    assert "Kernels were chosen for a cortex-m4. Not every CPU runs `mcuc_" in readme
    assert f"`{special}`" in readme.partition("Not every CPU runs ")[2].partition("\n")[0]
    application.assert_said(made(ARM, [package], cases[1], tmp_path), cases[1])
    other = subprocess.run(
        ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-Iinclude", "-Isrc", "-c", f"src/{special}"],
        cwd=package,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 'error: #error "this kernel needs the DSP extension, which Cortex-M4,' in other.stderr


def test_kernels_of_cmsis_nn_say_what_they_need(
    cases: tuple[Path, list[Case]], tmp_path: Path
) -> None:
    selection = Selection("cortex-m4", Wanted(KernelSet.CMSIS_NN, functions=("arm_softmax_s8",)))
    pipeline.export_sources(
        [cases[0] / f"{SECOND}.tflite"], "make", tmp_path / "out", selection=selection
    )
    assert (tmp_path / "out" / "src" / "mcuc_softmax_s8__cmsis_nn.c").is_file()
    assert (
        "Not every CPU runs `mcuc_softmax_s8__cmsis_nn.c`.\n"
        "They call CMSIS-NN: put its `Include` folder where the compiler looks for `<...>`, "
        "and link it.\n"
    ) in (tmp_path / "out" / "README.md").read_text("utf-8")


# What Zephyr's build system does with these calls, as far as the module needs it; libraries are
# linked whole, so that a kernel that is compiled twice does not link.
ZEPHYR_STAND_IN = """
set(CONFIG_MCUC_ADD y)
set(CONFIG_MCUC_CONV_2D_S8 y)
set(CONFIG_MCUC_ADD_CONV_2D_S8 y)
macro(zephyr_library_named name)
    set(ZEPHYR_CURRENT_LIBRARY ${name})
    add_library(${name} OBJECT)
    target_link_libraries(firmware PRIVATE ${name})
endmacro()
function(zephyr_include_directories)
    target_include_directories(firmware PRIVATE ${ARGV})
    include_directories(${ARGV})
endfunction()
function(zephyr_library_include_directories)
    target_include_directories(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGV})
endfunction()
function(zephyr_library_sources)
    target_sources(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGV})
endfunction()
function(zephyr_library_compile_options)
    target_compile_options(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGV})
endfunction()
"""


@HOW
def test_zephyr_module(how: str, cases: tuple[Path, list[Case]], tmp_path: Path) -> None:
    tools.require("cmake", "make", "gcc")
    packages = exported(cases[0], tmp_path, "zephyr", how)
    application.write(tmp_path, [p / "README.md" for p in packages], cases[1])
    modules = "".join(f"include({p.name}/zephyr/CMakeLists.txt)\n" for p in packages)
    options = cmake_project(tmp_path, HOST, ZEPHYR_STAND_IN + modules)
    application.assert_said(cmake_build(tmp_path, HOST, options), cases[1])


def change_crc(file: Path) -> None:
    """As a version of mcucomp would have it whose FULLY_CONNECTED is another."""
    text = file.read_text("utf-8")
    start = text.index("mcuc_fully_connected_s8=crc32_") + len("mcuc_fully_connected_s8=crc32_")
    file.write_text(text[:start] + "00000000" + text[start + 8 :], "utf-8")


@pytest.mark.parametrize(
    ("form", "file", "add", "kind"),
    [
        ("cmake", "CMakeLists.txt", lambda p: f"add_subdirectory({p.name})\n", "package"),
        (
            "zephyr",
            "zephyr/CMakeLists.txt",
            lambda p: f"include({p.name}/zephyr/CMakeLists.txt)\n",
            "module",
        ),
    ],
    ids=["cmake", "zephyr"],
)
def test_two_versions_of_a_kernel_are_refused(
    form: str,
    file: str,
    add: Callable[[Path], str],
    kind: str,
    cases: tuple[Path, list[Case]],
    tmp_path: Path,
) -> None:
    tools.require("cmake", "make", "gcc")
    packages = exported(cases[0], tmp_path, form, "apart")
    application.write(tmp_path, [p / "README.md" for p in packages], cases[1])
    change_crc(packages[1] / file)
    stand_in = ZEPHYR_STAND_IN if form == "zephyr" else ""
    cmake_project(tmp_path, HOST, stand_in + "".join(map(add, packages)))
    with pytest.raises(AssertionError) as refused:
        application.run(tools.program("cmake"), "-S", ".", "-B", "build", folder=tmp_path)
    said = " ".join(str(refused.value).split())
    assert (
        "mcuc_fully_connected_s8 of mcuc_conv_2d_s8 is not the one of another "
        f"{kind}; export both with the same version of mcucomp"
    ) in said
