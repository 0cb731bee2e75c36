"""What does a user say of operators that no compiler can know?

In: Python files, each with a list `OPERATORS` of `CustomOperator`; C files lie
beside them. Out: definitions that compile like those of built-in operators.

    OPERATORS = [
        CustomOperator(
            OperatorDef("SquaredRelu", "...", constraints=(...), lower=lower),
            files=("squared_relu.h", "squared_relu.c"),
            reference=reference,
        )
    ]

`lower` turns a use of the operator into a `KernelCall` with all arithmetic done;
its kernel is a C function of the user's. `reference` says in numpy what the
outputs are, for `mcucomp check`.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from mcucomp.errors import InvalidInput, printable
from mcucomp.ir import Graph, Operator, Tensor
from mcucomp.ops import ConstantArray, Constraint, KernelCall, Node, OperatorDef, registered

Array = np.ndarray[Any, np.dtype[Any]]
Reference = Callable[[Node, Sequence[Array]], Sequence[Array]]

LIST = "OPERATORS"
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_FILE = re.compile(r"(?!mcuc|model\.|weights\.)[A-Za-z_]\w*\.[ch]", re.ASCII)
_SHOWN_AS = "mcucomp_custom_{}"


@dataclass(frozen=True, slots=True)
class CustomOperator:
    """A custom operator: `definition.kind` is its name in models.

    `files` are C sources and headers beside the Python file; every source is
    compiled, every header included by the generated code. `reference` gives the
    outputs for a use of the operator and the values of its inputs, in their order;
    without one, `mcucomp check` wants the expected outputs from the user.
    """

    definition: OperatorDef
    files: tuple[str, ...]
    reference: Reference | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Loaded:
    """Custom operators as they were found in their users' files."""

    operators: tuple[CustomOperator, ...] = ()

    @property
    def definitions(self) -> list[OperatorDef]:
        return [operator.definition for operator in self.operators]

    @property
    def references(self) -> dict[str, Callable[[Graph, Operator, Sequence[Array]], list[Array]]]:
        """By the operator's name, a function that computes a use of it in a graph."""
        return {
            operator.definition.kind: _computing(operator)
            for operator in self.operators
            if operator.reference is not None
        }


def load(paths: Sequence[Path]) -> Loaded:
    """The custom operators of Python files; a folder stands for all that are in it.

    Raises:
        InvalidInput: a file cannot be read or run, or says what cannot be.
    """
    found: dict[str, CustomOperator] = {}
    texts: dict[str, tuple[str, Path]] = {}
    for path in _python_files(paths):
        for operator in _operators_of(path):
            kind = operator.definition.kind
            if kind in found or kind in registered():
                raise InvalidInput(
                    f"{printable(kind)} is defined already",
                    at=str(path),
                    fix="define each custom operator once, and none that 'mcucomp ops' lists",
                )
            files = {name: _text_of(path, name) for name in operator.files}
            for name, text in files.items():
                known, where = texts.setdefault(name, (text, path))
                if known != text:
                    raise InvalidInput(
                        f"{name} is another file than that of {where}",
                        at=str(path),
                        fix="files of all custom operators go to one folder; rename one",
                    )
            found[kind] = dataclasses.replace(
                operator, definition=_compilable(operator.definition, files, path)
            )
    return Loaded(tuple(found.values()))


def _python_files(paths: Sequence[Path]) -> list[Path]:
    files = []
    for path in paths:
        inside = sorted(path.glob("*.py")) if path.is_dir() else [path]
        if not inside:
            raise InvalidInput("has no Python file in it", at=str(path), fix=_FIX)
        files += inside
    return files


_FIX = f"give a Python file that defines {LIST}, a list of mcucomp.custom.CustomOperator"


def _operators_of(path: Path) -> Sequence[CustomOperator]:
    """Run a definition file; what is wrong in it is told with its line."""
    if path.suffix != ".py" or not path.is_file():
        raise InvalidInput("is no Python file", at=str(path), fix=_FIX)
    spec = importlib.util.spec_from_file_location(_SHOWN_AS.format(path.stem), path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        _run(module, spec.loader.exec_module)
    except Exception as error:
        raise _fault(error, path) from error
    operators = getattr(module, LIST, None)
    if not isinstance(operators, (list, tuple)) or not all(
        isinstance(operator, CustomOperator) for operator in operators
    ):
        raise InvalidInput(f"defines no {LIST}", at=str(path), fix=_FIX)
    return operators


def _run(module: ModuleType, execute: Callable[[ModuleType], None]) -> None:
    """Dataclasses look their module up by its name while it runs."""
    sys.modules[module.__name__] = module
    try:
        execute(module)
    finally:
        del sys.modules[module.__name__]


def _fault(error: Exception, path: Path, where: str = "") -> InvalidInput:
    """An exception out of a user's file, by its own message and the last line of that file."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if Path(frame.filename) == path]  # fmt: skip
    line = error.lineno if isinstance(error, SyntaxError) else (lines[-1] if lines else None)
    return InvalidInput(
        " ".join(f"{where}{type(error).__name__}: {error}".split()),
        at=f"{path}:{line}" if line else str(path),
        fix="correct the definition of the custom operator",
    )


def _text_of(path: Path, name: str) -> str:
    if not _FILE.fullmatch(name):
        raise InvalidInput(
            f"file {printable(name)!r} has a name that it cannot have",
            at=str(path),
            fix="name C files with letters and digits, NAME.c or NAME.h, not model, weights or"
            " mcuc...",
        )
    try:
        return (path.parent / name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "no text in UTF-8"
        raise InvalidInput(
            f"cannot be read: {reason}",
            at=str(path.parent / name),
            fix=f"files of a custom operator lie beside {path.name}",
        ) from error


def _compilable(definition: OperatorDef, files: Mapping[str, str], path: Path) -> OperatorDef:
    """The same definition, whose calls carry their C, and whose faults are the user's."""

    def guarded(node: Node, call: Callable[[Node], Any]) -> Any:
        try:
            return call(node)
        except Exception as error:
            raise _fault(error, path, f"{node.at} {printable(definition.kind)}: ") from error

    def lower(node: Node) -> KernelCall:
        call = guarded(node, definition.lower)
        problem = _problem(call, node)
        if problem:
            raise InvalidInput(
                f"the call of {node.at} {printable(definition.kind)} {problem}", at=str(path)
            )
        assert isinstance(call, KernelCall)
        return dataclasses.replace(call, files=dict(files))

    def constraint(given: Constraint) -> Constraint:
        return dataclasses.replace(given, found=lambda node: guarded(node, given.found))

    return dataclasses.replace(
        definition,
        lower=lower,
        constraints=tuple(map(constraint, definition.constraints)),
        is_custom=True,
    )


def _problem(call: object, node: Node) -> str:
    """What is wrong with what a user's `lower` has given; empty where nothing is."""
    if not isinstance(call, KernelCall):
        return f"is {type(call).__name__}, no KernelCall"
    names = [call.kernel, *call.params, *(c.kernel for c in call.clearances if c.kernel)]
    wrong = [name for name in names if not _IDENTIFIER.fullmatch(name)]
    if wrong:
        return f"has {printable(wrong[0])!r}, which is no name in C"
    kinds = (int, float, tuple, ConstantArray, type(None))
    wrong = [name for name, value in call.params.items() if not isinstance(value, kinds)]
    if wrong:
        return f"has a parameter {wrong[0]} of type {type(call.params[wrong[0]]).__name__}"
    if not call.params:
        return "has no parameters, and C has no struct without members"
    if not set(call.reads) <= {i for i in node.operator.inputs if i >= 0}:
        return "reads tensors that are no inputs"
    if sorted(call.writes) != sorted(node.operator.outputs):
        return "does not write the outputs, each once"
    if call.views or call.control is not None:
        return "has views or control, which only mcucomp's own operators have"
    return ""


def _computing(
    operator: CustomOperator,
) -> Callable[[Graph, Operator, Sequence[Array]], list[Array]]:
    """The reference, whose outputs must be those of the model in type and number."""
    reference, kind = operator.reference, operator.definition.kind
    assert reference is not None

    def compute(graph: Graph, use: Operator, inputs: Sequence[Array]) -> list[Array]:
        where = f"the reference of {printable(kind)}"
        try:
            outputs = [np.asarray(output) for output in reference(Node(graph, use), inputs)]
        except Exception as error:
            raise InvalidInput(
                " ".join(f"{where} fails: {type(error).__name__}: {error}".split()), at="--custom"
            ) from error
        wanted = [graph.tensors[i] for i in use.outputs]
        if [_form(o) for o in outputs] != [_form_of(t) for t in wanted]:
            raise InvalidInput(
                f"{where} gives {', '.join(map(_form, outputs)) or 'nothing'};"
                f" the model has {', '.join(map(_form_of, wanted))}",
                at="--custom",
            )
        return outputs

    return compute


def _form(array: Array) -> str:
    return f"{array.dtype.name} {list(array.shape)}"


def _form_of(tensor: Tensor) -> str:
    return f"{tensor.dtype.value} {list(tensor.shape)}"
