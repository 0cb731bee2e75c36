"""What does a format say of itself?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import jinja2

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


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("mcucomp.export"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # names are C identifiers; a model's file name went through `comment`
    )


def render(template: str, **values: object) -> str:
    """The text of a file in `templates/`."""
    return _environment().get_template(template).render(**values)
