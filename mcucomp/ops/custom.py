"""Which options does a custom operator have? What its FlexBuffers map says, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcucomp.errors import printable
from mcucomp.ir import DType
from mcucomp.ops.base import Constraint, Node
from mcucomp.tflite.custom_options import Number, read_custom_options

OPTIONS = "custom_options"
# The numbers that the schema has for element types, as the option T gives them.
TYPE_NUMBERS = {DType.FLOAT32: 0, DType.INT32: 2, DType.INT16: 7}
SUFFIXES = {DType.FLOAT32: "f32", DType.INT32: "s32", DType.INT16: "s16"}


def options_of(node: Node) -> Mapping[str, Number]:
    data = node.operator.options.get(OPTIONS)
    return read_custom_options(data) if isinstance(data, bytes) else {}


def custom_integer(node: Node, name: str) -> int:
    """An option that is known to be there."""
    return int(options_of(node)[name])


def has_custom_options(names: Sequence[str]) -> Constraint:
    """These and no others: TFLM counts the entries of the sorted map instead of naming them."""
    wanted = sorted(names)

    def found(node: Node) -> str | None:
        given = sorted(options_of(node))
        return None if given == wanted else printable(", ".join(given)) or "none"

    return Constraint(f"custom options are {', '.join(wanted)}", found)


def has_custom_integer(name: str, low: int, high: int) -> Constraint:
    """The option, known to be there, is a whole number from `low` to `high`."""

    def found(node: Node) -> str | None:
        value = options_of(node)[name]
        return None if isinstance(value, int) and low <= value <= high else f"{value}"

    return Constraint(f"custom option {name} is a whole number from {low:,} to {high:,}", found)


def has_type_number() -> Constraint:
    """The option T, known to be a number, says which type the input has."""

    def found(node: Node) -> str | None:
        number, dtype = custom_integer(node, "T"), node.input(0).dtype
        return None if number == TYPE_NUMBERS[dtype] else f"{number} for {dtype.value}"

    return Constraint("custom option T is the number of input's type", found)


def has_channels() -> Constraint:
    """The option num_channels, known to be a number, is how many values the input has."""

    def found(node: Node) -> str | None:
        count = node.input(0).elements
        return None if count == custom_integer(node, "num_channels") else f"{count}"

    return Constraint("input has num_channels values", found)
