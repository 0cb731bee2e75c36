"""What does a format say of itself?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mcucomp.codegen.texts import rendered
from mcucomp.export.package import Package


@dataclass(frozen=True, slots=True)
class Format:
    """A build system.

    Args:
        summary: what it is, in a few words.
        public_folder, private_folder: where headers that applications include go, and
            where all else that is compiled goes. They may be one.
        use: the template that tells, in the README, how to add the package to a project.
        metadata: the files that the build system wants, by path, from a package.
    """

    name: str
    summary: str
    public_folder: str
    private_folder: str
    use: str
    metadata: Callable[[Package], dict[str, str]]


def render(template: str, **values: object) -> str:
    """The text of a file in `templates/`."""
    return rendered("mcucomp.export", template, values)
