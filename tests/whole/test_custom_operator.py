"""The example of a custom operator: built, run and judged, on the host and on an emulated board."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from mcucomp import cli, tflite
from mcucomp.ir import Model
from tests.support import tools
from tests.support.application import run

EXAMPLE = Path(__file__).parents[2] / "examples" / "custom_operator"
DEFINITION = EXAMPLE / "squared_relu.py"
WITH_REFERENCE = "TensorFlow Lite Micro's and the custom operators' references"
NO_REFERENCE = (
    "mcucomp check: operators that TensorFlow Lite Micro does not have cannot be compared with it\n"
    "  operator 1 SquaredRelu\n"
    "  fix: give their definition with a reference, --custom FILE, or the outputs that you expect,"
    " --input FILE and --expect FILE\n"
)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcucomp.report.terminal.PROGRESS_AFTER_S", 1e6)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example's model, as its script writes it."""
    path = tmp_path_factory.mktemp("custom") / "squared_relu.tflite"
    run(sys.executable, EXAMPLE / "make_model.py", path, folder=path.parent)
    return path


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = cli.run([str(a) for a in arguments])
    said = capfd.readouterr()
    return status, said.out, said.err


def read(path: Path) -> Model:
    return tflite.load(path)


@pytest.fixture
def build(model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Path:
    """A build for the host, under sanitizers."""
    tools.require("gcc")
    out = tmp_path / "out"
    options = ("--board", "host", "--sanitize", "-o", out, "--custom", DEFINITION)
    assert call(capfd, "build", model, *options)[0] == 0
    return out


def test_on_the_host(build: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tools.require("tflite_micro")
    status, out, err = call(capfd, "check", build, "--custom", DEFINITION)
    assert (status, err) == (0, "")
    assert f"outputs    5 inputs, 40 output bytes: all equal to {WITH_REFERENCE}\n" in out
    # Its output lies over its input, as the definition allows.
    text = (build / "model.c").read_text()
    assert "reads  first@0" in text
    assert "writes squared@0" in text


def test_on_an_emulated_board(
    model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("arm-none-eabi-gcc", "qemu-system-arm", "tflite_micro")
    out = tmp_path / "out"
    options = ("--board", "stm32", "-o", out, "--custom", DEFINITION)
    assert call(capfd, "build", model, *options)[0] == 0
    check = ("check", out, "--emulator", "qemu", "--custom", DEFINITION, "--json")
    status, said, _ = call(capfd, *check)
    found = json.loads(said)
    assert (status, found["check"]["mismatching_bytes"]) == (0, 0)
    assert found["measured"]["arena_peak_bytes"] == found["predicted"]["arena_peak_bytes"] == 44
    _, said, _ = call(capfd, "run", out, "--emulator", "qemu", "--json")
    steps = json.loads(said)["steps"]
    assert [step["kind"] for step in steps] == ["FULLY_CONNECTED", "CUSTOM", "FULLY_CONNECTED"]
    # 32 elements, each a handful of instructions.
    assert 32 * 10 < steps[1]["instructions"] < 32 * 60


def test_a_kernel_that_is_wrong_is_found(
    model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("gcc", "tflite_micro")
    own = Path(shutil.copytree(EXAMPLE, tmp_path / "own"))
    (own / "make_model.py").unlink()
    source = own / "squared_relu.c"
    source.write_text(source.read_text().replace("above * above", "above * above + 40"))
    out = tmp_path / "out"
    options = ("--board", "host", "-o", out, "--custom", own)
    assert call(capfd, "build", model, *options)[0] == 0
    status, said, err = call(capfd, "check", out, "--custom", own, "--inputs", 1)
    assert status == 1
    assert "begins     at operator 1 CUSTOM (squared)" in said
    assert err.startswith(f"{out}: outputs differ from {WITH_REFERENCE}\n")


def test_a_kernel_that_does_not_compile(
    model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("gcc")
    own = Path(shutil.copytree(EXAMPLE, tmp_path / "own"))
    (own / "squared_relu.c").write_text('#include "squared_relu.h"\nint f(void) { return x; }\n')
    out = tmp_path / "out"
    options = ("--board", "host", "-o", out, "--custom", own / "squared_relu.py")
    status, _, err = call(capfd, "build", model, *options)
    assert status == 2
    first, *details, fix = err.splitlines()
    assert first == "squared_relu.c: the C of a custom operator does not compile"
    assert any("squared_relu.c:2:" in line for line in details)
    assert fix == "  fix: correct it; it is C99, with mcuc.h and all headers of kernels at hand"
    assert not out.exists()


def test_outputs_that_the_user_expects(
    build: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    given, expected = tmp_path / "in.npy", tmp_path / "out.npy"
    np.save(given, np.arange(16, dtype=np.int8))
    files = ("--input", given, "--expect", expected)
    np.save(expected, np.zeros(8, np.int8))
    status, out, err = call(capfd, "check", build, *files)
    assert status == 1
    assert "begins" not in out, "nothing is known of what lies between"
    assert err.startswith(f"{build}: outputs differ from the expected ones\n")

    _, said, _ = call(capfd, "run", build, "--input", given, "--json")
    (output,) = json.loads(said)["outputs"]
    expected.with_suffix(".bin").write_bytes(bytes.fromhex(output["data"]))
    files = ("--input", given, "--expect", expected.with_suffix(".bin"))
    status, out, _ = call(capfd, "check", build, *files)
    assert status == 0
    assert "outputs    1 inputs, 8 output bytes: all equal to the expected ones\n" in out


def test_expectations_that_do_not_go_with_the_model(
    build: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    short = tmp_path / "short.bin"
    short.write_bytes(bytes(3))
    assert call(capfd, "check", build, "--expect", short) == (
        2,
        "",
        "--expect: outputs are expected of an input that is given\n"
        "  fix: give --input too, once for each input of the model\n",
    )
    given = tmp_path / "in.bin"
    given.write_bytes(bytes(16))
    files = ("--input", given, "--expect", short)
    assert call(capfd, "check", build, *files) == (
        2,
        "",
        f"{short}: holds 3 B; the output takes 8 int8 (8 B)\n",
    )
    status, _, err = call(capfd, "check", build, *files, "--expect", short)
    assert (status, err) == (
        2,
        "--expect: the model has 1 outputs; got 2 files\n"
        "  fix: give --expect once for each output of the model, in its order\n",
    )


def test_without_a_reference_nothing_is_claimed(
    build: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("tflite_micro")
    assert call(capfd, "check", build) == (2, "", NO_REFERENCE)
    own = Path(shutil.copytree(EXAMPLE, tmp_path / "own"))
    definition = own / "squared_relu.py"
    text = definition.read_text().replace(", reference=reference)", ")")
    definition.write_text(text)
    assert call(capfd, "check", build, "--custom", definition) == (2, "", NO_REFERENCE)


def test_a_plan_with_a_custom_operator_can_be_verified(
    model: Path, build: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plan = build / "plan.json"
    assert call(capfd, "check-plan", plan, model, "--custom", DEFINITION)[0] == 0
    status, _, err = call(capfd, "check-plan", plan, model)
    assert status == 2
    assert "operator 1 CUSTOM SquaredRelu: this operator is not supported" in err


def test_an_exported_package_has_the_kernel_and_builds(
    model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("gcc")
    out = tmp_path / "package"
    options = ("-f", "make", "-o", out, "--custom", DEFINITION)
    assert call(capfd, "export", model, *options)[0] == 0
    names = {p.name: p for p in out.rglob("*") if p.is_file()}
    for name in ("squared_relu.c", "squared_relu.h"):
        assert names[name].read_text() == (EXAMPLE / name).read_text()
    includes = sorted({f"-I{p.parent}" for n, p in names.items() if n.endswith(".h")})
    includes += [f"-I{out / 'src'}"]
    for source in (p for n, p in names.items() if n.endswith(".c")):
        run("gcc", "-std=c99", "-c", "-o", tmp_path / "x.o", *includes, source, folder=out)
