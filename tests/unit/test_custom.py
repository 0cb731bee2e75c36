"""Definitions of custom operators: what is taken, and how what is wrong in them is told."""

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np
import pytest

from mcucomp import custom
from mcucomp.errors import InvalidInput
from mcucomp.ir import Model
from mcucomp.ops import lower, registered, registering
from tests.support.models import ModelBuilder

LOADS = "give a Python file that defines OPERATORS, a list of mcucomp.custom.CustomOperator"
CORRECT = "correct the definition of the custom operator"

DEFINITION = """
from mcucomp.custom import CustomOperator
from mcucomp.ops import Constraint, KernelCall, OperatorDef

def lower(node):
    return KernelCall("own", {{"size": 4}}, node.operator.inputs, node.operator.outputs)

def reference(node, inputs):
    return [inputs[0]]

{changes}
OPERATORS = [
    CustomOperator(
        OperatorDef({kind!r}, "own", {constraints}, lower), {files!r}, reference=reference
    )
]
"""


def definition(
    folder: Path,
    changes: str = "",
    *,
    name: str = "own.py",
    kind: str = "Own",
    constraints: str = "()",
    files: tuple[str, ...] = ("own.h", "own.c"),
) -> Path:
    """A definition file with its C, of which a test changes what it likes."""
    text = DEFINITION.format(
        changes=textwrap.dedent(changes), kind=kind, constraints=constraints, files=files
    )
    for c_file in ("own.h", "own.c"):
        (folder / c_file).write_text(f"/* {c_file} */\n")
    (folder / name).write_text(text)
    return folder / name


def model(kind: str = "Own") -> Model:
    b = ModelBuilder()
    x = b.input((1, 4), scale=0.5)
    y = b.tensor((1, 4), scale=0.5)
    b.operator_into("CUSTOM", (x,), (y,), custom_code=kind)
    return b.finish()


def message_of_load(path: Path) -> str:
    with pytest.raises(InvalidInput) as caught:
        custom.load([path])
    return str(caught.value)


def message_of_lower(path: Path) -> str:
    with registering(custom.load([path]).definitions), pytest.raises(InvalidInput) as caught:
        lower(model())
    return str(caught.value)


def test_a_definition_is_known_as_long_as_it_is_registered(tmp_path: Path) -> None:
    loaded = custom.load([definition(tmp_path)])
    before = set(registered())
    with registering(loaded.definitions):
        assert set(registered()) - before == {"Own"}
        ((call,),) = lower(model())
    assert set(registered()) == before
    assert call.kernel == "own"
    assert call.files == {"own.h": "/* own.h */\n", "own.c": "/* own.c */\n"}


def test_a_builtin_operator_of_that_name_is_another_one(tmp_path: Path) -> None:
    """The file's names of custom operators are apart from TFLite's own."""
    with registering(custom.load([definition(tmp_path, kind="WHERE")]).definitions):
        b = ModelBuilder()
        b.operator("WHERE", (b.input((1, 4), scale=0.5),), (1, 4), scale=0.5)
        with pytest.raises(Exception, match="this operator is not supported"):
            lower(b.finish())
        assert len(lower(model("WHERE"))) == 1


def test_a_folder_stands_for_its_definitions(tmp_path: Path) -> None:
    definition(tmp_path)
    definition(tmp_path, name="other.py", kind="Other")
    kinds = [d.kind for d in custom.load([tmp_path]).definitions]
    assert kinds == ["Other", "Own"] or kinds == ["Own", "Other"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("OPERATORS = 3", "{path}: defines no OPERATORS\n  fix: " + LOADS),
        ("OPERATORS = [3]", "{path}: defines no OPERATORS\n  fix: " + LOADS),
        ("x = 1\nx +", "{path}:2: SyntaxError: invalid syntax (own.py, line 2)\n  fix: " + CORRECT),
        (
            "x = 1\n\nraise ValueError('two\\nlines')",
            "{path}:3: ValueError: two lines\n  fix: " + CORRECT,
        ),
    ],
)
def test_files_that_define_nothing(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(text)
    assert message_of_load(path) == message.format(path=path)


def test_paths_that_are_no_definitions(tmp_path: Path) -> None:
    assert message_of_load(tmp_path / "gone.py") == (
        f"{tmp_path / 'gone.py'}: is no Python file\n  fix: {LOADS}"
    )
    assert message_of_load(tmp_path) == f"{tmp_path}: has no Python file in it\n  fix: {LOADS}"


def test_names_that_are_taken(tmp_path: Path) -> None:
    first = definition(tmp_path)
    taken = "is defined already\n  fix: define each custom operator once, and none that"
    with pytest.raises(InvalidInput) as caught:
        custom.load([first, first])
    assert str(caught.value) == f"{first}: Own {taken} 'mcucomp ops' lists"
    known = definition(tmp_path, kind="SignalWindow")
    assert message_of_load(known) == f"{known}: SignalWindow {taken} 'mcucomp ops' lists"


@pytest.mark.parametrize("name", ["model.c", "weights.h", "mcuc.h", "../own.c", "own.cpp", "o\n.c"])
def test_names_that_c_files_cannot_have(name: str, tmp_path: Path) -> None:
    path = definition(tmp_path, files=(name,))
    first, fix = message_of_load(path).split("\n")
    shown = name.replace("\n", "\\\\n")
    assert first == f"{path}: file '{shown}' has a name that it cannot have"
    assert fix.startswith("  fix: name C files with letters and digits")


def test_c_files_that_are_not_there(tmp_path: Path) -> None:
    path = definition(tmp_path, files=("gone.c",))
    assert message_of_load(path) == (
        f"{tmp_path / 'gone.c'}: cannot be read: No such file or directory\n"
        "  fix: files of a custom operator lie beside own.py"
    )


def test_two_files_of_one_name(tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    paths = []
    for number, folder in enumerate(folders):
        folder.mkdir()
        paths.append(definition(folder, kind=f"Own{number}"))
        (folder / "own.c").write_text(f"/* {number} */")
    with pytest.raises(InvalidInput) as caught:
        custom.load(paths)
    assert str(caught.value) == (
        f"{paths[1]}: own.c is another file than that of {paths[0]}\n"
        "  fix: files of all custom operators go to one folder; rename one"
    )


def test_faults_of_a_definition_are_told_with_their_line(tmp_path: Path) -> None:
    path = definition(tmp_path, "def lower(node):\n    return 1 / 0")
    lines = path.read_text().split("\n")
    line = lines.index("    return 1 / 0") + 1
    assert message_of_lower(path) == (
        f"{path}:{line}: operator 0 CUSTOM Own: ZeroDivisionError: division by zero\n"
        f"  fix: {CORRECT}"
    )
    path = definition(tmp_path, constraints="(Constraint('x', lambda node: [][0]),)")
    assert "operator 0 CUSTOM Own: IndexError: list index out of range" in message_of_lower(path)


@pytest.mark.parametrize(
    ("lowering", "problem"),
    [
        ("None", "is NoneType, no KernelCall"),
        ("KernelCall('a b', {'n': 1}, (0,), (1,))", "has 'a b', which is no name in C"),
        ("KernelCall('own', {'n;': 1}, (0,), (1,))", "has 'n;', which is no name in C"),
        ("KernelCall('own', {'n': 'text'}, (0,), (1,))", "has a parameter n of type str"),
        (
            "KernelCall('own', {}, (0,), (1,))",
            "has no parameters, and C has no struct without members",
        ),
        ("KernelCall('own', {'n': 1}, (7,), (1,))", "reads tensors that are no inputs"),
        ("KernelCall('own', {'n': 1}, (0,), ())", "does not write the outputs, each once"),
        ("KernelCall('own', {'n': 1}, (0,), (1, 1))", "does not write the outputs, each once"),
    ],
)
def test_calls_that_cannot_be(lowering: str, problem: str, tmp_path: Path) -> None:
    path = definition(tmp_path, f"def lower(node):\n    return {lowering}")
    assert message_of_lower(path) == f"{path}: the call of operator 0 CUSTOM Own {problem}"


@pytest.mark.parametrize(
    ("returned", "problem"),
    [
        ("inputs[0].astype('float32')", "gives float32 [1, 4]; the model has int8 [1, 4]"),
        ("inputs[0][0]", "gives int8 [4]; the model has int8 [1, 4]"),
        ("inputs[9]", "fails: IndexError: list index out of range"),
    ],
)
def test_references_that_give_something_else(returned: str, problem: str, tmp_path: Path) -> None:
    path = definition(tmp_path, f"def reference(node, inputs):\n    return [{returned}]")
    compute = custom.load([path]).references["Own"]
    graph = model().graphs[0]
    with pytest.raises(InvalidInput) as caught:
        compute(graph, graph.operators[0], [np.zeros((1, 4), np.int8)])
    assert str(caught.value) == f"--custom: the reference of Own {problem}"
