"""The generated pages, the README and the help texts say what the code does."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

from mcucomp.cli import group
from mcucomp.ops import registered

# Of an operator in each of its types, against a reference.
CASES_MIN = 20
CHECKOUT = Path(__file__).resolve().parents[2]


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", CHECKOUT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_are_fresh() -> None:
    assert _generator().stale() == [], "call 'make docs'"


def test_every_operator_was_compared_often_enough_in_each_of_its_types() -> None:
    cases = _generator().compared_cases()
    assert cases.keys() == registered().keys()
    assert min(number for rows in cases.values() for number in rows.values()) >= CASES_MIN


def test_the_readme_names_every_command_and_no_other() -> None:
    readme = (CHECKOUT / "README.md").read_text("utf-8")
    named = set(re.findall(r"(?:`|\$ |^)mcucomp ([a-z][a-z-]+)", readme, re.MULTILINE))
    assert named == set(group.commands)


def test_every_link_of_the_docs_leads_somewhere() -> None:
    for page in (CHECKOUT / "README.md", *(CHECKOUT / "docs").glob("*.md")):
        for target in re.findall(r"\]\((?!http)([^)#]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_room_table_of_the_architecture_page_is_complete() -> None:
    page = (CHECKOUT / "docs" / "architecture.md").read_text("utf-8")
    for path in (CHECKOUT / "mcucomp").iterdir():
        if path.name.startswith(("__", "_data")):
            continue
        name = f"{path.name}/" if path.is_dir() else path.name
        assert f"  {name} " in page, f"{name} is not in docs/architecture.md"
