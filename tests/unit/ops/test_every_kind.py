"""Every operator has at least one message that a test knows word for word."""

from __future__ import annotations

import importlib
from pathlib import Path

from mcucomp.ops import definition_of, registered


def _covered() -> set[str]:
    """The kinds that tests beside this one list as `KINDS`, or else change in their `REFUSED`."""
    kinds = set()
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        module = importlib.import_module(f"tests.unit.ops.{path.stem}")
        if hasattr(module, "KINDS"):
            kinds.update(module.KINDS)
            continue
        for make, *_ in getattr(module, "REFUSED", ()):
            definition = definition_of(make().operators[0])
            assert definition is not None
            kinds.add(definition.kind)
    return kinds


def test_every_kind_is_covered() -> None:
    assert _covered() == set(registered())
