"""What is in the user's copy of CMSIS-NN, and which of its sources does a build compile?

In: a folder with `Include/` and `Source/`, as a release unpacks. Out: a `Copy`:
where its headers are, which functions it has, and for some of them the files
that define them and all that they call. Up to release 4.0.0 the headers want
CMSIS-Core too, which is looked for beside the folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mcucomp.backends.cmsis_nn import FUNCTIONS
from mcucomp.errors import InvalidInput

OPTION = "--cmsis-nn"
HEADER, CORE_HEADER = "arm_nnfunctions.h", "cmsis_compiler.h"
_NAME = re.compile(r"\barm_\w+")
# A definition begins a line, perhaps with its type on the line before.
_DEFINITION = re.compile(r"^(?:[A-Za-z_][\w *]*[ *])?(arm_\w+)\s*\(", re.MULTILINE)
_INCLUDES_CORE = re.compile(rf'^\s*#\s*include\s*[<"]{re.escape(CORE_HEADER)}', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of CMSIS-NN at `folder`.

    `headers` are the folders that its headers are in, `files` has the source of each function,
    `called` the names of functions that each source mentions.
    """

    folder: Path
    headers: tuple[Path, ...]
    files: Mapping[str, Path] = field(repr=False)
    called: Mapping[Path, frozenset[str]] = field(repr=False)

    @property
    def functions(self) -> tuple[str, ...]:
        """Those that kernels of ours call, sorted."""
        return tuple(sorted(name for name in set(FUNCTIONS.values()) if name in self.files))

    def sources(self, kernels: Iterable[str]) -> tuple[Path, ...]:
        """The files to compile for the kernels of ours that are among `kernels`, sorted."""
        left = {FUNCTIONS[kernel] for kernel in kernels if kernel in FUNCTIONS}
        found: set[Path] = set()
        while left:
            file = self.files.get(left.pop())
            if file is not None and file not in found:
                found.add(file)
                left |= self.called[file]
        return tuple(sorted(found))


def find(folder: Path) -> Copy:
    """The copy at `folder`.

    Raises:
        InvalidInput: it is none, or CMSIS-Core is not beside it.
    """
    headers = [folder / "Include"]
    if not (headers[0] / HEADER).is_file():
        raise InvalidInput(
            f"{folder} has no Include/{HEADER}",
            at=OPTION,
            fix="name the folder of CMSIS-NN that holds Include/ and Source/",
        )
    texts = [path.read_text("utf-8", "replace") for path in sorted(headers[0].rglob("*.h"))]
    if any(_INCLUDES_CORE.search(text) for text in texts):
        headers.append(_core_headers(folder))
    files, called = {}, {}
    for path in sorted((folder / "Source").rglob("*.c")):
        text = path.read_text("utf-8", "replace")
        files.update(dict.fromkeys(_DEFINITION.findall(text), path))
        called[path] = frozenset(_NAME.findall(text))
    return Copy(folder, tuple(headers), files, called)


def _core_headers(folder: Path) -> Path:
    """Where CMSIS-Core's headers are: in the same CMSIS, or in a folder beside this one."""
    beside = folder.resolve().parent
    for pattern in ("Core/Include", "*/Include", "*/Core/Include", "*/CMSIS/Core/Include"):
        for found in sorted(beside.glob(pattern)):
            if (found / CORE_HEADER).is_file():
                return found
    raise InvalidInput(
        f"its headers include {CORE_HEADER} of CMSIS-Core, which is in no folder beside {folder}",
        at=OPTION,
        fix="put CMSIS-Core, with Include/ or Core/Include/, beside it, or take a later CMSIS-NN",
    )
