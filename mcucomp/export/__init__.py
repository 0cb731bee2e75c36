"""Which files does someone else's firmware need to run a model?

In: generated sources of one or more models, and the name of a build system. Out:
the files of a package: those sources, the kernels that they call with their
headers, licence, README, and what the build system wants to be told. One module
a build system, found by being here; its texts are in `templates/`.
"""

from __future__ import annotations

import importlib
import pkgutil

from mcucomp.errors import InvalidInput, nearest_first
from mcucomp.export.files import package_files
from mcucomp.export.format import Format
from mcucomp.export.package import ExportedModel, Package, make_package, stem

__all__ = [
    "ExportedModel",
    "Format",
    "Package",
    "find",
    "formats",
    "make_package",
    "package_files",
    "stem",
]


def formats() -> dict[str, Format]:
    """The formats by name, in the order of their names."""
    found = {}
    for module in pkgutil.iter_modules(__path__):
        known = getattr(importlib.import_module(f"{__name__}.{module.name}"), "FORMAT", None)
        if isinstance(known, Format):
            found[known.name] = known
    return dict(sorted(found.items()))


def find(name: str) -> Format:
    """The format of that name; InvalidInput lists the known ones."""
    known = formats()
    if name not in known:
        raise InvalidInput(
            f"no format named {name}",
            at="--format",
            details=[f"known, nearest first: {', '.join(nearest_first(name, known))}"],
            fix="use one of these names",
        )
    return known[name]
