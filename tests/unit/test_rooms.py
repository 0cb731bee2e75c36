"""Data flows one way: who may import whom."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import mcucomp

PACKAGE = Path(mcucomp.__file__).parent

# A room may import itself and what its row names. Types of a later room may be
# imported for annotations alone (`if TYPE_CHECKING`).
MAY_IMPORT = {
    "errors": set(),
    "paths": set(),
    "output_folder": {"errors"},
    "ir": {"errors"},
    "tflite": {"errors", "ir"},
    "ops": {"errors", "ir", "tflite"},
    "custom": {"errors", "ir", "ops"},
    "rules": {"errors"},
    "values": {"ir", "ops"},
    "rewrite": {"errors", "ir", "ops", "rules", "values"},
    "memory": {"errors", "ir", "ops", "rules"},
    "order": {"errors", "memory"},
    "place": {"errors", "memory", "order"},
    "certify": {"errors", "memory"},
    "planner": {"errors", "memory", "order", "place"},
    "rows": {"errors", "ir", "ops", "rules", "memory", "order", "place", "planner", "backends"},
    "tflm": {"errors", "ir", "tflite", "ops", "memory", "planner", "rewrite"},
    "explaining": {"ir", "ops", "planning", "rewrite", "rules", "values"},
    "rewriting": {"errors", "ir", "tflite", "tflm", "check"},
    "backends": {"errors", "ops", "paths"},
    "boards": {"errors", "paths"},
    "placement": {"errors", "boards"},
    "codegen": {"errors", "ir", "ops", "memory", "planner", "rows", "backends"},
    "export": {"errors", "paths", "backends", "codegen"},
    "build": {"errors", "paths", "boards", "backends", "codegen"},
    "fit": {"errors", "boards", "memory", "planner"},
    "device": {"errors", "boards", "paths", "build", "placement"},
    "check": {"errors", "ir", "tflite", "ops", "device", "boards", "build_directory"},
    "report": {"errors", "memory", "certify", "planner", "fit", "placement"},
    "planning": {
        "errors", "ir", "ops", "memory", "backends", "planner", "rows", "certify", "rewrite",
        "rules", "values",
    },
    "peaks": {"errors", "memory", "ops", "planner"},
    "trade": {"errors", "ir", "memory", "rewrite", "rows", "planning", "rules"},
    "pipeline": {
        "errors", "ir", "tflite", "ops", "memory", "planner", "backends", "boards", "codegen",
        "rows", "build", "export", "fit", "report", "build_directory", "output_folder",
        "peaks", "placement", "planning", "rules",
    },
    "build_directory": {"errors", "ir", "tflite", "boards", "placement"},
    "zoo": {"errors", "output_folder", "pipeline", "build_directory", "check"},
}  # fmt: skip


def _room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imports(path: Path) -> list[tuple[int, str]]:
    """(line, room) of what a module imports when it runs."""
    found = []

    class Visitor(ast.NodeVisitor):
        def visit_If(self, node: ast.If) -> None:
            if ast.unparse(node.test) != "TYPE_CHECKING":
                self.generic_visit(node)

        def visit_Import(self, node: ast.Import) -> None:
            for alias in node.names:
                if alias.name.startswith("mcucomp."):
                    found.append((node.lineno, alias.name.split(".")[1]))

        def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
            module = node.module or ""
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            if module == "mcucomp":
                found.extend((node.lineno, alias.name) for alias in node.names)
            elif module.startswith("mcucomp."):
                found.append((node.lineno, module.split(".")[1]))

    Visitor().visit(ast.parse(path.read_text()))
    return found


def _violations(path: Path) -> list[str]:
    room = _room(path)
    return [
        f"{path.relative_to(PACKAGE.parent)}:{line}: {room} imports {other}"
        for line, other in _imports(path)
        if other != room and other not in MAY_IMPORT[room]
    ]


@pytest.mark.parametrize(
    "path",
    # The front door may import everything.
    [p for p in sorted(PACKAGE.rglob("*.py")) if _room(p) not in ("cli", "__init__", "__main__")],
    ids=lambda p: str(p.relative_to(PACKAGE)),
)
def test_imports_follow_the_table(path: Path) -> None:
    assert _violations(path) == []


def test_a_forbidden_import_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MAY_IMPORT, "planner", set())
    assert _violations(PACKAGE / "planner.py")[0].startswith("mcucomp/planner.py:")
