"""What `mcucomp export` says: whole messages, exit status, nothing left behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcucomp import cli
from tests.support.models import ModelBuilder, residual_network


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: `small.tflite`, and the same as `other/Small.tflite`."""
    monkeypatch.chdir(tmp_path)
    Path("other").mkdir()
    for path in (Path("small.tflite"), Path("other/Small.tflite")):
        path.write_bytes(residual_network().bytes())
    return tmp_path


def assert_refused(
    capfd: pytest.CaptureFixture[str], status: int, message: str, *arguments: str
) -> None:
    assert cli.run(["export", *arguments]) == status
    said = capfd.readouterr()
    assert said.err == message + "\n"
    assert said.out == ""
    left = {p.name for p in Path().iterdir()}
    assert left <= {"small.tflite", "other", "bad.tflite", "full", "out.txt"}


def test_what_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["export", "small.tflite", "--format", "make", "-o", "out"]) == 0
    said = capfd.readouterr()
    report = json.loads(Path("out/export.json").read_text())
    first, head, row, kernels, following = said.out.splitlines()
    assert first == f"mcuc_small for make: {len(report['files'])} files in out"
    assert head.split() == ["model", "in", "C", "arena", "peak", "weights", "constants"]
    assert row.split()[:2] == ["small.tflite", "mcuc_small"]
    assert f"{report['models'][0]['weights_bytes']:,} B" in row
    assert kernels == "kernels    " + ", ".join(k["name"] for k in report["kernels"])
    assert following == "next       out/README.md tells how to call it and how to build it"


def test_json_is_the_report(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["export", "small.tflite", "--format", "make", "-o", "out", "--json"]) == 0
    said = capfd.readouterr()
    assert said.err == ""
    document = json.loads(said.out)
    assert document == json.loads(Path("out/export.json").read_text())
    assert sorted(document) == [
        "cpu", "files", "format", "kernels", "mcucomp", "models", "package", "schema",
    ]  # fmt: skip
    assert {
        "file", "sha256", "name", "header", "memory", "arena_peak_bytes", "weights_bytes",
        "constants_bytes",
    } <= set(document["models"][0])  # fmt: skip


def test_default_folder_and_replacing_an_earlier_export(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["export", "small.tflite", "--format", "zephyr"]) == 0
    assert (Path("build") / "small-zephyr" / "zephyr" / "module.yml").is_file()
    assert cli.run(["export", "small.tflite", "-f", "make", "-o", "build/small-zephyr"]) == 0
    assert not (Path("build") / "small-zephyr" / "zephyr").exists()
    assert [p.name for p in Path("build").iterdir()] == ["small-zephyr"]


def test_unknown_format(capfd: pytest.CaptureFixture[str]) -> None:
    assert_refused(
        capfd,
        2,
        "--format: no format named cmkae\n"
        "  known, nearest first: cmake, make, cmsis-pack, zephyr, arduino, platformio\n"
        "  fix: use one of these names",
        *("small.tflite", "--format", "cmkae", "-o", "out"),
    )


def test_two_models_of_one_name(capfd: pytest.CaptureFixture[str]) -> None:
    models = ("small.tflite", "other/Small.tflite")
    assert_refused(
        capfd,
        2,
        "mcucomp export: two models are named small in C: small.tflite and other/Small.tflite\n"
        "  fix: name them with --name, once for each model in their order",
        *(*models, "-f", "make", "-o", "out"),
    )
    named = ("--name", "small", "--name", "large")
    assert cli.run(["export", *models, *named, "-f", "make", "-o", "out"]) == 0
    assert Path("out/include/mcuc_large_model.h").is_file()


def test_names_that_do_not_match_the_models(capfd: pytest.CaptureFixture[str]) -> None:
    assert_refused(
        capfd,
        2,
        "--name: 2 names for 1 models\n"
        "  fix: give --name once for each model, in their order, or leave it out",
        *("small.tflite", "--name", "a", "--name", "b", "-f", "make", "-o", "out"),
    )


def test_a_folder_with_something_else_in_it(capfd: pytest.CaptureFixture[str]) -> None:
    Path("full").mkdir()
    Path("full/thesis.txt").write_text("years of work")
    assert_refused(
        capfd,
        2,
        "full: exists and is no export of mcucomp (it has no export.json)\n"
        "  fix: name another folder with -o, or empty this one",
        *("small.tflite", "-f", "make", "-o", "full"),
    )
    assert [p.name for p in Path("full").iterdir()] == ["thesis.txt"]


def test_a_file_where_the_folder_should_be(capfd: pytest.CaptureFixture[str]) -> None:
    Path("out.txt").write_text("mine")
    assert_refused(
        capfd,
        2,
        "out.txt: is a file\n  fix: name another folder with -o",
        *("small.tflite", "-f", "make", "-o", "out.txt"),
    )


def test_a_model_that_cannot_be_compiled(capfd: pytest.CaptureFixture[str]) -> None:
    b = ModelBuilder(source="bad.tflite")
    b.operator("GELU", (b.input((1, 4), scale=0.5),), (1, 4), scale=0.5)
    Path("bad.tflite").write_bytes(b.bytes())
    assert_refused(
        capfd,
        2,
        "bad.tflite: operator 0 GELU: this operator is not supported\n"
        "  fix: 'mcucomp ops' lists what can be compiled, with its conditions",
        *("small.tflite", "bad.tflite", "-f", "make", "-o", "out"),
    )


def test_no_model(capfd: pytest.CaptureFixture[str]) -> None:
    assert_refused(
        capfd,
        2,
        "mcucomp export: Missing argument 'MODEL...'\n"
        "  fix: 'mcucomp export --help' shows how it is called",
        *("--format", "make"),
    )
