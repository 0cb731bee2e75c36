"""What does a package hold, whatever builds it?

In: the generated sources of each model. Out: a `Package`: public headers, which an
application includes, and private sources and headers, among them only the
kernels that are called, each file under a name that no other model's has.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import mcucomp
from mcucomp import backends
from mcucomp.codegen import Sources
from mcucomp.paths import firmware_folder

SHARED_HEADER = "mcuc.h"
_INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)


def stem(name: str) -> str:
    """How the files of the model `name` begin."""
    return f"mcuc_{name}_"


@dataclass(frozen=True, slots=True)
class ExportedModel:
    """A model in a package. `documents` are its plan and what proves it, by file name."""

    name: str
    source: str
    sha256: str
    arena_bytes: int
    arena_peak_bytes: int
    sources: Sources
    documents: dict[str, str]

    @property
    def macro(self) -> str:
        """What the macros of its header begin with."""
        return f"MCUC_{self.name.upper()}"

    @property
    def header(self) -> str:
        return f"{stem(self.name)}model.h"

    @property
    def own_files(self) -> tuple[str, ...]:
        """C files of kernels of the user's operators, which models may share."""
        return self.sources.own_kernels


@dataclass(frozen=True, slots=True)
class Kernel:
    """A source of one kernel or two forms of one, under the name that it has in a package.

    `crc32` is over the source and all headers that it includes: two packages
    whose kernel has the same one may share it.
    """

    name: str
    file: str
    text: str
    crc32: str


@dataclass(frozen=True, slots=True)
class Package:
    """Files by name. `sources` are the models' own; headers are named as they are included.

    `cpu` is the one that kernels were chosen for.
    """

    name: str
    version: str
    cpu: str
    models: tuple[ExportedModel, ...]
    kernels: tuple[Kernel, ...]
    public_headers: dict[str, str]
    private_headers: dict[str, str]
    sources: dict[str, str]

    @property
    def macro(self) -> str:
        """Its name for build systems that want capitals."""
        return self.name.upper()

    @property
    def title(self) -> str:
        """The package in a few words."""
        names = ", ".join(model.name for model in self.models)
        kind = "model" if len(self.models) == 1 else "models"
        return f"The neural network {kind} {names} in C99, with a fixed arena"

    @property
    def needs_math(self) -> bool:
        """Whether functions of math.h are called, whose library some linkers must be told."""
        own = [t for m in self.models for f, t in m.sources.files.items() if f in m.own_files]
        texts = [*self.private_headers.values(), *own, *(kernel.text for kernel in self.kernels)]
        return any("#include <math.h>" in text for text in texts)

    @property
    def special_kernels(self) -> tuple[str, ...]:
        """Those of its kernels that not every CPU runs."""
        return tuple(k.file for k in self.kernels if backends.backend_of(k.name).cpus is not None)

    @property
    def needs_cmsis_nn(self) -> bool:
        """Whether a kernel calls CMSIS-NN, which the project must bring."""
        texts = self.private_headers.values()
        return any("#include <arm_nnfunctions.h>" in text for text in texts)

    @property
    def compiled(self) -> tuple[str, ...]:
        """The names of all C files, the models' before the kernels'."""
        return (*sorted(self.sources), *(kernel.file for kernel in self.kernels))


def make_package(models: Sequence[ExportedModel], cpu: str) -> Package:
    """The package of `models`, whose names must differ, with kernels chosen for `cpu`."""
    names = [model.name for model in models]
    assert len(set(names)) == len(names), names
    firmware = firmware_folder()
    generated = {file: text for model in models for file, text in model.sources.files.items()}
    called = sorted({kernel for model in models for kernel in model.sources.kernels})
    kernels = tuple(_kernel(firmware / s) for s in dict.fromkeys(map(backends.source, called)))
    texts = [*generated.values(), *(kernel.text for kernel in kernels)]
    headers = _headers(firmware / "include", texts, generated)
    public = {SHARED_HEADER, *(model.header for model in models)}
    headers |= {file: text for file, text in generated.items() if file.endswith(".h")}
    return Package(
        name="mcuc_" + "_".join(names),
        version=mcucomp.__version__,
        cpu=cpu,
        models=tuple(models),
        kernels=kernels,
        public_headers={f: t for f, t in sorted(headers.items()) if f in public},
        private_headers={f: t for f, t in sorted(headers.items()) if f not in public},
        sources={f: t for f, t in sorted(generated.items()) if f.endswith(".c")},
    )


def _kernel(source: Path) -> Kernel:
    text = source.read_text(encoding="utf-8")
    headers = _headers(firmware_folder() / "include", [text], ())
    whole = "".join([text, *(headers[name] for name in sorted(headers))])
    name = f"{backends.PREFIX}{source.stem}"
    return Kernel(name, f"{name}.c", text, f"{zlib.crc32(whole.encode('utf-8')):08x}")


def _headers(folder: Path, texts: Iterable[str], generated: Iterable[str]) -> dict[str, str]:
    """The headers in `folder` that `texts` include, and those that they include in turn."""
    found: dict[str, str] = {}
    left = list(texts)
    while left:
        for name in _INCLUDE.findall(left.pop()):
            if name not in found and name not in generated:
                found[name] = (folder / name).read_text(encoding="utf-8")
                left.append(found[name])
    return found
