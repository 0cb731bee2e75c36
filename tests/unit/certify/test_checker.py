"""What the checker says of a wrong plan: which buffers, which bytes, which step."""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mcucomp.certify
from mcucomp.certify import certificate, check
from mcucomp.certify.digest import digest_of
from mcucomp.errors import CheckFailed
from mcucomp.memory import Buffer, Step, StepGraph
from mcucomp.planner import plan

SHA256 = "ab" * 32

# x -> (conv) -> a -> (add with x) -> y
GRAPH = StepGraph(
    steps=(Step("a", "CONV_2D", 8), Step("y", "ADD")),
    buffers=(
        Buffer("x", 16, (), (0, 1)),
        Buffer("a", 32, (0,), (1,)),
        Buffer("y", 16, (1,), (), held=True),
    ),
    alignment=4,
)


def document() -> Any:
    return json.loads(json.dumps(certificate(plan(GRAPH), SHA256, GRAPH, source="m.tflite")))


def message(change: Callable[[Any], None]) -> str:
    changed = copy.deepcopy(document())
    change(changed)
    with pytest.raises(CheckFailed) as failure:
        check(changed, GRAPH, SHA256)
    return str(failure.value)


def test_a_true_plan_is_told_in_sentences() -> None:
    assert check(document(), GRAPH, SHA256) == (
        "the order is valid, and its live peak is 64 B",
        "no two buffers that live together overlap, in an arena of 64 B",
        "no order needs less than 64 B (step: whenever one step runs; checked)",
        "so no order of these operators has a smaller arena",
    )


def test_an_overlap_names_both_buffers_their_bytes_and_the_step() -> None:
    found = document()
    offsets = {row["name"]: row["offset"] for row in found["buffers"]}

    def move(changed: Any) -> None:
        changed["buffers"][1]["offset"] = offsets["x"]

    low, high = sorted([("x", 16), ("a", 32)], key=lambda row: row[1])
    assert message(move) == (
        f"plan.json: buffers[1].offset: {high[0]} [{offsets['x']}, {offsets['x'] + high[1]})"
        f" overlaps {low[0]} [{offsets['x']}, {offsets['x'] + low[1]})\n"
        "  both are live at step 0, CONV_2D, operator 1 of 2"
    )


def test_an_impossible_order_names_the_steps() -> None:
    def swap(changed: Any) -> None:
        changed["order"] = [1, 0]

    assert message(swap) == (
        "plan.json: order[0]: step 1 (y) runs before step 0 (a), which it needs"
    )


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("schema",), 2, "plan.json: schema: is 2; this checker says 1"),
        (("order",), [0, 0], "plan.json: order: is not each of the 2 steps once"),
        (("order",), [0, 5], "plan.json: order[1]: is 5; it must be from 0 to 2"),
        (
            ("memory", "peak_bytes"),
            60,
            "plan.json: memory.peak_bytes: is 60; the replayed order says 64",
        ),
        (
            ("memory", "verdict"),
            "open",
            "plan.json: memory.verdict: is 'open'; the certificate says 'proven'",
        ),
        (
            ("steps", 0, "kind"),
            "MUL",
            "plan.json: steps[0].kind: is 'MUL'; the model says 'CONV_2D'",
        ),
        (("buffers", 0, "held"), 1, "plan.json: buffers[0].held: is not true or false"),
        (
            ("certificates", 0, "bytes"),
            68,
            "plan.json: certificates[0].bytes: is 68; its witness says 64",
        ),
        (("certificates", 0, "kind"), "magic", None),
    ],
)
def test_a_wrong_line_is_named(path: tuple[Any, ...], value: Any, expected: str | None) -> None:
    def change(changed: Any) -> None:
        for key in path[:-1]:
            changed = changed[key]
        changed[path[-1]] = value

    found = message(change)
    assert found == expected or (expected is None and "known are inputs, step" in found)


def test_another_model_is_refused() -> None:
    with pytest.raises(CheckFailed, match="is of another model"):
        check(document(), GRAPH, "cd" * 32)


@pytest.mark.parametrize("damage", [None, 7, [], {}, {"schema": 1}, {"schema": 1, "model": []}])
def test_what_is_no_plan_is_refused(damage: Any) -> None:
    with pytest.raises(CheckFailed):
        check(damage, GRAPH, SHA256)


def test_the_checker_imports_no_planner_no_placer_and_no_lifetimes() -> None:
    allowed = {"mcucomp.errors", "mcucomp.memory.types", "mcucomp"}
    for path in Path(mcucomp.certify.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text())
        guarded = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            if id(node) in guarded:
                continue
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                ours = name.split(".")[0] == "mcucomp" and not name.startswith("mcucomp.certify")
                assert not ours or name in allowed, f"{path.name} imports {name}"


# x -> (conv) -> a -> (add with z) -> y: while conv runs, z waits.
WAITING = StepGraph(
    steps=(Step("a", "CONV_2D", 16), Step("y", "ADD")),
    buffers=(
        Buffer("x", 16, (), (0,)),
        Buffer("a", 32, (0,), (1,)),
        Buffer("y", 16, (1,), (), held=True),
        Buffer("z", 8, (), (1,)),
    ),
    alignment=4,
)


def forged(step: int, chains: list[list[int]], claimed_bytes: int) -> str:
    """What the checker says of a step bound that was made up, digest and all."""
    document = json.loads(json.dumps(certificate(plan(WAITING), SHA256, WAITING)))
    assert document["certificates"][0]["trap"]["floors"][0]["chains"] == [[8, 3]]
    document["certificates"][0]["bytes"] = claimed_bytes
    document["certificates"][0]["trap"] = {
        "direction": "forward",
        "members": [step],
        "floors": [{"step": step, "bytes": claimed_bytes, "chains": chains}],
    }
    document["digest"] = digest_of(document)
    with pytest.raises(CheckFailed) as failure:
        check(document, WAITING, SHA256)
    return str(failure.value)


@pytest.mark.parametrize(
    ("step", "chains", "claimed_bytes", "expected"),
    [
        (0, [[8, 3], [8, 3]], 80, "chains[1]: takes 8 B more than buffer 3 (z) has"),
        (0, [[12, 3]], 76, "chains[0]: takes 4 B more than buffer 3 (z) has"),
        (0, [[8, 3], [16, 2]], 88, "chains[1]: buffer 2 (y) need not have begun"),
        (1, [[16, 0]], 72, "chains[0]: buffer 0 (x) may have ended"),
        (0, [[8, 3], [16, 0]], 88, "chains[1]: buffer 0 is unknown, or counted already"),
        (0, [[8, 3, 3]], 72, "chains[0]: names a buffer twice"),
        (1, [[8, 0, 2]], 64, "chains[0]: buffer 2 is unknown, or counted already"),
        (0, [[0, 3]], 64, "chains[0]: must be bytes above 0, then buffers"),
        (0, [], 64, "memory.floor_bytes: is 72; the certificate says 64"),
    ],
)
def test_a_made_up_witness_is_refused(
    step: int, chains: list[list[int]], claimed_bytes: int, expected: str
) -> None:
    assert expected in forged(step, chains, claimed_bytes)
