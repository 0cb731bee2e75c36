"""How are a call's parameters and arguments written in C, and how are templates filled?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import jinja2

from mcucomp.codegen.constants import ConstantPool, float_literal, literal
from mcucomp.ops import ConstantArray, ParamValue


def param_text(pool: ConstantPool, name: str, value: ParamValue) -> str:
    """The initialiser of a member of a kernel's parameters; arrays go to `pool` under `name`."""
    if isinstance(value, ConstantArray):
        return pool.add(name, value)
    if isinstance(value, tuple):
        return "{" + ", ".join(literal(v, "int32_t") for v in value) + "}"
    if value is None:
        return "NULL"
    if isinstance(value, float):
        return float_literal(value)
    return literal(int(value), "int32_t")


def pointers(c_type: str, arguments: Sequence[str]) -> str:
    """An array of pointers as one argument."""
    return f"({c_type}[]){{{', '.join(arguments)}}}"


def rendered(package: str, template: str, members: Mapping[str, object]) -> str:
    """A template of `package` with its members, as text for a compiler or a build system.

    Names and comments among them have gone through `names.py`, values through `constants.py`.
    """
    return _templates(package).get_template(template).render(members)


@cache
def _templates(package: str) -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
