"""What an exported folder holds, format by format, as far as it can be judged without its tools."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import mcucomp
from mcucomp import export, pipeline
from mcucomp.build.toolchain import FLOAT_FLAGS, WARNING_FLAGS
from mcucomp.paths import firmware_folder, license_file
from tests.support import application, tools
from tests.support.models import residual_network

FORMATS = sorted(export.formats())
NAME = "residual"
METADATA = {
    "arduino": {"library.properties", "examples/RunModel/RunModel.ino"},
    "cmake": {"CMakeLists.txt"},
    "cmsis-pack": {"mcucomp.mcuc_residual.pdsc"},
    "make": {"Makefile"},
    "platformio": {"library.json"},
    "zephyr": {"zephyr/module.yml", "zephyr/CMakeLists.txt", "zephyr/Kconfig"},
}
# What the residual network's operators are lowered to; RESHAPE needs none.
KERNELS = {
    "add_s8", "average_pool_2d_s8", "conv_2d_s8", "depthwise_conv_2d_s8",
    "dequantize_s8_f32", "fully_connected_s8", "quantize_f32_s8", "softmax_s8",
}  # fmt: skip


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The residual network in every format."""
    folder = tmp_path_factory.mktemp("export")
    (folder / "residual.tflite").write_bytes(residual_network().bytes())
    for form in FORMATS:
        pipeline.export_sources([folder / "residual.tflite"], form, folder / form)
    return {form: folder / form for form in FORMATS}


def files_of(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}


def test_every_format_is_known_here() -> None:
    assert set(METADATA) == set(FORMATS)


@pytest.mark.parametrize("form", FORMATS)
def test_layout(form: str, packages: dict[str, Path]) -> None:
    public, private = ("src", "src") if form == "arduino" else ("include", "src")
    found = files_of(packages[form])
    shared = {
        "mcuc_add", "mcuc_channels", "mcuc_dot", "mcuc_exp", "mcuc_math", "mcuc_softmax",
        "mcuc_window",
    }  # fmt: skip
    assert found == METADATA[form] | {
        "README.md",
        "LICENSE",
        "export.json",
        "mcuc_residual_plan.json",
        f"{public}/mcuc.h",
        f"{public}/mcuc_residual_model.h",
        f"{private}/mcuc_residual_model.c",
        f"{private}/mcuc_residual_weights.c",
        f"{private}/mcuc_residual_weights.h",
        *(f"{private}/mcuc_{kernel}.c" for kernel in KERNELS),
        *(f"{private}/mcuc/{kernel}.h" for kernel in KERNELS),
        *(f"{private}/{header}.h" for header in shared),
    }


@pytest.mark.parametrize("form", FORMATS)
def test_report_names_files_kernels_and_sizes(form: str, packages: dict[str, Path]) -> None:
    report = json.loads((packages[form] / "export.json").read_text())
    assert report["schema"] == 1
    assert (report["format"], report["package"]) == (form, "mcuc_residual")
    assert set(report["files"]) == files_of(packages[form])
    assert {kernel["name"] for kernel in report["kernels"]} == {f"mcuc_{k}" for k in KERNELS}
    (model,) = report["models"]
    plan = json.loads((packages[form] / "mcuc_residual_plan.json").read_text())
    assert (model["file"], model["name"]) == ("residual.tflite", NAME)
    assert model["sha256"] == plan["model"]["sha256"]
    assert model["memory"] == plan["memory"]
    header = next(packages[form].rglob("mcuc_residual_model.h")).read_text()
    assert f"#define MCUC_RESIDUAL_ARENA_BYTES {plan['memory']['arena_bytes']}u\n" in header


@pytest.mark.parametrize("form", FORMATS)
def test_kernels_are_the_projects_own_text_under_its_licence(
    form: str, packages: dict[str, Path]
) -> None:
    for kernel in KERNELS:
        text = (packages[form] / f"src/mcuc_{kernel}.c").read_text()
        assert text == (firmware_folder() / f"kernels/portable/{kernel}.c").read_text()
        assert "SPDX-License-Identifier: Apache-2.0" in text
    assert (packages[form] / "LICENSE").read_text() == license_file().read_text()
    assert "Apache License" in license_file().read_text()


@pytest.mark.parametrize("compiler", ["gcc", "arm-none-eabi-gcc"])
@pytest.mark.parametrize("form", FORMATS)
def test_every_source_is_clean_c99(
    form: str, compiler: str, packages: dict[str, Path], tmp_path: Path
) -> None:
    """Without an include path for private headers: those are found beside the sources."""
    tools.require(compiler)
    public = packages[form] / ("src" if form == "arduino" else "include")
    sources = sorted(packages[form].rglob("*.c"))
    assert len(sources) == len(KERNELS) + 2
    flags = ("-std=c99", "-O1", *FLOAT_FLAGS, *WARNING_FLAGS, f"-I{public}")
    assert application.run(compiler, *flags, "-c", *sources, folder=tmp_path) == ""


@pytest.mark.parametrize("form", FORMATS)
def test_every_header_is_cpp17(form: str, packages: dict[str, Path], tmp_path: Path) -> None:
    tools.require("g++")
    folders = [packages[form] / name for name in ("include", "src")]
    for header in sorted(packages[form].rglob("*.h")):
        unit = tmp_path / f"{header.stem}.cpp"
        unit.write_text(f'#include "{header}"\n')
        flags = ("-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
        includes = [f"-I{folder}" for folder in folders]
        assert application.run("g++", *flags, *includes, "-c", unit, folder=tmp_path) == ""


@pytest.mark.parametrize("form", FORMATS)
def test_the_example_of_the_readme_is_cpp_too_and_links(
    form: str, packages: dict[str, Path], tmp_path: Path
) -> None:
    tools.require("g++", "gcc")
    public = packages[form] / ("src" if form == "arduino" else "include")
    example = application.example(packages[form] / "README.md")
    (tmp_path / "example.cpp").write_text(
        example + "int main()\n{\n    static const float input[108] = {};\n    float output[5];\n"
        "    return run_residual(input, output);\n}\n"
    )
    sources = sorted(packages[form].rglob("*.c"))
    application.run("gcc", "-O1", f"-I{public}", "-c", *sources, folder=tmp_path)
    objects = sorted(tmp_path.glob("*.o"))
    flags = ("-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{public}")
    application.run("g++", *flags, "-o", "example", "example.cpp", *objects, folder=tmp_path)
    # It ends with the status of the model's run, which is 0, and says nothing.
    assert application.run(tmp_path / "example", folder=tmp_path) == ""


@pytest.mark.parametrize("form", FORMATS)
def test_bytes_do_not_depend_on_place(form: str, packages: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    model = tmp_path / "elsewhere" / "residual.tflite"
    model.write_bytes(residual_network().bytes())
    pipeline.export_sources([model], form, tmp_path / "deep" / "out")
    assert files_of(tmp_path / "deep" / "out") == files_of(packages[form])
    machine = [str(tmp_path), str(packages[form].parent), str(Path(mcucomp.__file__).parents[1])]
    for file in files_of(packages[form]):
        data = (packages[form] / file).read_bytes()
        assert data == (tmp_path / "deep" / "out" / file).read_bytes(), file
        assert not [path for path in machine if path.encode() in data], file


def test_arduino_properties(packages: dict[str, Path]) -> None:
    """Those that the library specification requires, and a name that it allows."""
    text = (packages["arduino"] / "library.properties").read_text()
    properties = dict(line.split("=", 1) for line in text.splitlines())
    required = ("name", "version", "author", "maintainer", "sentence", "paragraph", "category")
    assert [key for key in required if not properties[key]] == []
    assert {"url", "architectures"} <= set(properties)
    assert properties["name"] == "mcuc_residual"
    assert properties["version"] == mcucomp.__version__
    assert properties["includes"] == "mcuc_residual_model.h"
    assert properties["dot_a_linkage"] == "true"


def test_arduino_sketch_compiles(packages: dict[str, Path], tmp_path: Path) -> None:
    """As C++ behind a stand-in for Arduino.h, which the IDE puts before a sketch."""
    tools.require("g++")
    (tmp_path / "Arduino.h").write_text(
        "#include <stddef.h>\n#include <stdint.h>\n"
        "struct { void begin(long) {} template <class T> void println(T) {} } Serial;\n"
        "void delay(unsigned long) {}\nvoid setup();\nvoid loop();\n"
    )
    sketch = packages["arduino"] / "examples/RunModel/RunModel.ino"
    (tmp_path / "sketch.cpp").write_text('#include "Arduino.h"\n' + sketch.read_text())
    flags = ("-std=gnu++17", "-Wall", "-Wextra", "-Werror", f"-I{packages['arduino'] / 'src'}")
    assert application.run("g++", *flags, "-c", "sketch.cpp", folder=tmp_path) == ""


def test_platformio_manifest(packages: dict[str, Path]) -> None:
    folder = packages["platformio"]
    manifest = json.loads((folder / "library.json").read_text())
    assert (manifest["name"], manifest["version"]) == ("mcuc_residual", mcucomp.__version__)
    assert manifest["license"] == "Apache-2.0"
    assert [h for h in manifest["headers"] if not (folder / "include" / h).is_file()] == []
    build = manifest["build"]
    assert (folder / build["includeDir"]).is_dir()
    assert (folder / build["srcDir"]).is_dir()
    assert build["flags"] == list(FLOAT_FLAGS)


def test_zephyr_module(packages: dict[str, Path]) -> None:
    tools.require("yaml")
    import yaml

    module = yaml.safe_load((packages["zephyr"] / "zephyr/module.yml").read_text())
    assert module == {
        "name": "mcuc_residual",
        "build": {"cmake": "zephyr", "kconfig": "zephyr/Kconfig"},
    }
    assert (packages["zephyr"] / module["build"]["cmake"] / "CMakeLists.txt").is_file()
    kconfig = (packages["zephyr"] / module["build"]["kconfig"]).read_text()
    assert "\nconfig MCUC_RESIDUAL\n\tbool " in kconfig
    cmake = (packages["zephyr"] / "zephyr/CMakeLists.txt").read_text()
    assert "if(CONFIG_MCUC_RESIDUAL)\n" in cmake


def test_zephyr_kconfig_is_read_without_a_warning(packages: dict[str, Path]) -> None:
    if importlib.util.find_spec("kconfiglib") is None:
        pytest.skip("skipped: kconfiglib is not installed (pip install kconfiglib)")
    import kconfiglib

    read = kconfiglib.Kconfig(str(packages["zephyr"] / "zephyr/Kconfig"))
    assert read.warnings == []
    assert read.syms["MCUC_RESIDUAL"].type == kconfiglib.BOOL


def test_cmsis_pack_description(packages: dict[str, Path]) -> None:
    """Well-formed, with the elements that the schema requires; every file is there, once."""
    folder = packages["cmsis-pack"]
    root = ET.parse(folder / "mcucomp.mcuc_residual.pdsc").getroot()
    assert (root.tag, root.get("schemaVersion")) == ("package", "1.7.2")
    assert [child.tag for child in root] == [
        "vendor", "name", "description", "url", "license", "releases", "components",
    ]  # fmt: skip
    assert (root.findtext("vendor"), root.findtext("name")) == ("mcucomp", "mcuc_residual")
    assert [r.get("version") for r in root.iterfind("releases/release")] == [mcucomp.__version__]
    (component,) = root.iterfind("components/component")
    assert set(component.attrib) == {"Cclass", "Cgroup", "Csub", "Cversion"}
    listed = [file.get("name") or "" for file in component.iterfind("files/file")]
    assert len(listed) == len(set(listed))
    assert [name for name in listed if not (folder / name).exists()] == []
    sources = {f.get("name") for f in component.iterfind("files/file[@category='sourceC']")}
    assert sources == {name for name in files_of(folder) if name.endswith(".c")}


def test_a_new_format_is_one_new_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(
        "from mcucomp.export.format import Format\n"
        "FORMAT = Format('plain', 'files alone', '.', '.', 'make/use.md.j2', lambda package: {})\n"
    )
    monkeypatch.setattr(export, "__path__", [*export.__path__, str(tmp_path)])
    assert export.find("plain").summary == "files alone"


def test_only_headers_that_are_included_come_along(packages: dict[str, Path]) -> None:
    assert not (packages["make"] / "src/mcuc_raster.h").exists()
    unused = subprocess.run(
        ["grep", "-rlE", "mcuc_strided_copy_b8|mcuc_max_pool_2d_s8", str(packages["make"])],
        capture_output=True,
        text=True,
        check=False,
    )
    assert unused.stdout == ""


def test_a_kernel_that_calls_the_maths_library_brings_it_along(
    packages: dict[str, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "-lm" not in (packages["make"] / "Makefile").read_text()
    assert "PUBLIC m)" not in (packages["cmake"] / "CMakeLists.txt").read_text()
    monkeypatch.setattr(export.Package, "needs_math", True)
    (tmp_path / "residual.tflite").write_bytes(residual_network().bytes())
    for form, file, word in (("make", "Makefile", "-lm"), ("cmake", "CMakeLists.txt", "PUBLIC m)")):
        pipeline.export_sources([tmp_path / "residual.tflite"], form, tmp_path / form)
        assert word in (tmp_path / form / file).read_text()
