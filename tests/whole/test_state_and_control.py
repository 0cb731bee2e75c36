"""Models with state and control flow, from file to answers, on the host and on a board.

Every answer is TFLM's, byte for byte, over inferences that follow each other, and
every arena peak one that was predicted.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from mcucomp import build_directory, check, cli, pipeline, planning
from mcucomp.check import reference
from mcucomp.check.inputs import drawn
from mcucomp.tflite import write
from tests.support import tools
from tests.support.shared import shared_model
from tests.support.state_models import MODELS, ring_buffer

BOARD = "mps2-an386"
SHARED = {
    "odd-call-once-mul": 50,
    "odd-nested-while": 50,
    "mww-okay-nabu-v2-int8": 50,
}


def built(path: Path, board: str) -> Path:
    folder = path.with_suffix(f".{board}")
    options = pipeline.Options(sanitize=board == "host")
    pipeline.build(path, board, folder, options)
    return folder


def written(name: str, folder: Path) -> Path:
    path = folder / f"{name}.tflite"
    path.write_bytes(write(MODELS[name]()))
    return path


@pytest.mark.parametrize("name", MODELS)
def test_sequences_on_the_host(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("gcc", "tflite_micro")
    folder = built(written(name, tmp_path), "host")
    status = cli.run(["check", str(folder), "--inputs", "12", "--sequence", "6", "--json"])
    said = capfd.readouterr()
    assert status == 0, said.err
    found = json.loads(said.out)
    assert found["check"]["ok"]
    assert found["check"]["sequence"] == 6
    predicted = found["predicted"]
    assert found["measured"]["arena_peak_bytes"] == predicted["arena_peak_bytes"]
    assert len(predicted["possible_peaks_bytes"]) == (2 if name == "start" else 1)


@pytest.mark.parametrize("name", ["ring", "rounds"])
def test_sequences_on_a_board(name: str, tmp_path: Path) -> None:
    """The peak that a board measures is the predicted one, with state and with loops."""
    tools.require("arm-none-eabi-gcc", "qemu-system-arm", "tflite_micro")
    build = build_directory.load(built(written(name, tmp_path), BOARD))
    assert build.report["sizes"]["ram"]["state_bytes"] > build.state_bytes > 0
    with check.session(build, emulator="qemu") as session:
        verdict = check.compare(
            build, session, drawn(build.graph, 4, 1), lambda *_: None, sequence=4
        )
    assert verdict.problems == ()
    assert {run.arena_peak_bytes for run in verdict.runs} == {build.arena_peak_bytes}


@pytest.mark.parametrize("name", SHARED)
def test_shared_models_over_fifty_inferences(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("gcc", "tflite_micro")
    path = tmp_path / f"{name}.tflite"
    path.write_bytes(shared_model(name).read_bytes())
    folder = built(path, "host")
    count = ["--inputs", str(SHARED[name]), "--sequence", str(SHARED[name])]
    status = cli.run(["check", str(folder), *count])
    said = capfd.readouterr()
    assert status == 0, said.err
    assert "50 inputs (50 at a time in sequence)" in said.out


def test_the_first_inference_alone_has_the_peak_of_what_runs_once(tmp_path: Path) -> None:
    tools.require("gcc")
    build = build_directory.load(built(written("start", tmp_path), "host"))
    greatest, later = sorted(build.possible_peaks_bytes, reverse=True)
    with check.session(build) as session:
        runs = session.infer_sequence(drawn(build.graph, 3, 1))
    assert [run.arena_peak_bytes for run in runs] == [greatest, later, later]
    assert build.arena_peak_bytes == greatest


def test_a_model_with_state_is_checked_in_one_sequence_of_fifty(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("gcc", "tflite_micro")
    folder = built(written("ring", tmp_path), "host")
    assert cli.run(["check", str(folder)]) == 0
    assert "50 inputs (50 at a time in sequence)" in capfd.readouterr().out


def test_state_tells_inferences_in_sequence_from_inferences_alone(tmp_path: Path) -> None:
    """Equal inputs have other answers later in a sequence, here as there."""
    tools.require("gcc", "tflite_micro")
    build = build_directory.load(built(written("ring", tmp_path), "host"))
    rows = drawn(build.graph, 3, 1)
    rows[2] = rows[1]
    right = reference.outputs(build.model, build.graph, rows, 3)
    anew = reference.outputs(build.model, build.graph, rows, 1)
    assert right[0] == anew[0]
    assert right[1] != anew[1]
    with check.session(build) as session:
        runs = session.infer_sequence(rows)
        assert [list(run.outputs) for run in runs] == right
        assert [list(session.infer(row).outputs) for row in rows] == anew


def test_plans_of_all_graphs_are_verified(tmp_path: Path) -> None:
    for name, make in MODELS.items():
        planned = pipeline.plan_model(write(make()), f"{name}.tflite")
        document = json.loads(json.dumps(planned.document))
        assert planning.check_document(document, make())


_MAIN = """
#include <stdio.h>
#include "mcuc_ring_model.h"

static _Alignas(16) uint8_t arena[MCUC_RING_ARENA_BYTES];
static mcuc_ring_state state;

int main(void)
{
    int8_t input[4], sum[4], before[8], old[4];
    char order;
    if (mcuc_ring_init(&state, arena, sizeof arena) != MCUC_OK) {
        return 1;
    }
    while (scanf(" %c", &order) == 1) {
        if (order == 'r') {
            mcuc_ring_reset(&state);
            continue;
        }
        for (int i = 0; i < 4; i++) {
            int value;
            if (scanf("%d", &value) != 1) {
                return 1;
            }
            input[i] = (int8_t)value;
        }
        if (mcuc_ring_run(&state, input, sum, before, old) != MCUC_OK) {
            return 1;
        }
        for (int i = 0; i < 4; i++) {
            printf("%d %d %d ", sum[i], before[i], old[i]);
        }
    }
    return 0;
}
"""


def test_reset_in_an_export_does_what_tflm_does(tmp_path: Path) -> None:
    """Variables start anew, and what CALL_ONCE set up is gone; the model goes on from there."""
    tools.require("gcc", "tflite_micro")
    from tflite_micro import runtime

    data = write(ring_buffer())
    (tmp_path / "ring.tflite").write_bytes(data)
    package = tmp_path / "package"
    pipeline.export_sources([tmp_path / "ring.tflite"], "make", package)
    (tmp_path / "main.c").write_text(_MAIN)
    folders = sorted({path.parent for path in package.rglob("*.h")})
    flags = [f"-I{folder}" for folder in folders] + ["-std=c11", "-Wall", "-Wextra", "-Werror"]
    sources = [*map(str, sorted(package.rglob("*.c"))), str(tmp_path / "main.c")]
    program = tmp_path / "program"
    subprocess.run(["gcc", *flags, "-o", str(program), *sources, "-lm"], check=True)

    interpreter = runtime.Interpreter.from_bytes(data, arena_size=1 << 20)
    random, orders, expected = np.random.default_rng(1), [], []
    for step in range(9):
        if step in (3, 6):
            orders.append("r")
            interpreter.reset()
        x = random.integers(-128, 128, (1, 4), dtype=np.int8)
        orders.append("x " + " ".join(map(str, x.ravel())))
        interpreter.set_input(x, 0)
        interpreter.invoke()
        outputs = [interpreter.get_output(k).ravel()[:4] for k in range(3)]
        expected += [int(v) for row in zip(*outputs, strict=True) for v in row]
    said = subprocess.run(
        [str(program)], input="\n".join(orders), capture_output=True, text=True, check=True
    )
    assert [int(v) for v in said.stdout.split()] == expected
