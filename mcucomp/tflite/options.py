"""Which options does an operator have, and what do their numbers mean?

In: an operator's kind and its options table in the file, or an options
mapping. Out: the other one of the two. The tables' fields come from `schema`;
what the schema's generated accessors have lost - which table belongs to which
kind, and which enumeration a number is of - is declared here, a row each.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import tflite

from mcucomp.ir import DType, OptionValue
from mcucomp.tflite.schema import Field, FieldKind, members, table

CUSTOM = "CUSTOM"
CUSTOM_OPTIONS = "custom_options"

# Kinds whose options table is not simply named after them.
_SHARED_TABLES: Mapping[str, tuple[str, ...]] = {
    "Conv3DOptions": ("CONV_3D_TRANSPOSE",),
    "L2NormOptions": ("L2_NORMALIZATION",),
    "MaximumMinimumOptions": ("MAXIMUM", "MINIMUM"),
    "Pool2DOptions": ("AVERAGE_POOL_2D", "L2_POOL_2D", "MAX_POOL_2D"),
    "RandomOptions": ("MULTINOMIAL", "RANDOM_STANDARD_NORMAL", "RANDOM_UNIFORM"),
    "ReducerOptions": (
        "MEAN",
        "REDUCE_ALL",
        "REDUCE_ANY",
        "REDUCE_MAX",
        "REDUCE_MIN",
        "REDUCE_PROD",
        "SUM",
    ),
    "SequenceRNNOptions": ("UNIDIRECTIONAL_SEQUENCE_RNN",),
}

# Fields that hold an enumeration's number, by name, or by table and name.
_ENUMERATIONS: Mapping[str, type] = {
    "algorithm": tflite.RngAlgorithm,
    "combiner": tflite.CombinerType,
    "compare_type": tflite.StablehloComparisonType,
    "comparison_direction": tflite.StablehloComparisonDirection,
    "composite_attributes_format": tflite.CustomOptionsFormat,
    "fused_activation_function": tflite.ActivationFunctionType,
    "idx_out_type": tflite.TensorType,
    "in_data_type": tflite.TensorType,
    "kernel_type": tflite.LSTMKernelType,
    "key_dtype": tflite.TensorType,
    "LSHProjectionOptions.type": tflite.LSHProjectionType,
    "mode": tflite.MirrorPadMode,
    "out_data_type": tflite.TensorType,
    "out_type": tflite.TensorType,
    "output_type": tflite.TensorType,
    "padding": tflite.Padding,
    "quantized_bias_type": tflite.TensorType,
    "reduce_function": tflite.ReduceWindowFunction,
    "value_dtype": tflite.TensorType,
    "weights_format": tflite.FullyConnectedOptionsWeightsFormat,
}

# The schema numbers its element types in the order of DType; newer files know more of
# them than the package's enumeration does.
_DTYPE_NAMES: Mapping[int, str] = {number: dtype.value for number, dtype in enumerate(DType)}


class UnknownEnumerator(ValueError):
    """An options field holds a number that its enumeration does not have."""

    def __init__(self, field: str, number: int, names: Mapping[int, str]) -> None:
        self.field, self.number, self.names = field, number, names
        super().__init__(f"{field} is {number}; known are {', '.join(names.values())}")


@functools.cache
def kinds() -> Mapping[int, str]:
    """TFLite's name of each builtin operator by its code."""
    return members(tflite.BuiltinOperator)


@functools.cache
def code_of(kind: str) -> int:
    """The builtin code of `kind`; ValueError if the schema has none."""
    for code, name in kinds().items():
        if name == kind:
            return code
    raise ValueError(f"{kind} is no builtin operator")


@functools.cache
def options_table(kind: str) -> str | None:
    """The name of the options table of `kind`; None where it has no options."""
    for name, sharing_kinds in _SHARED_TABLES.items():
        if kind in sharing_kinds:
            return name
    wanted = f"{kind.replace('_', '')}OPTIONS"
    names = (*members(tflite.BuiltinOptions).values(), *members(tflite.BuiltinOptions2).values())
    return next((name for name in names if name.upper() == wanted), None)


def enumerators(table_name: str, field: Field) -> Mapping[int, str] | None:
    """The names of a field's numbers; None for a field that is just a number."""
    if field.kind is not FieldKind.SCALAR:
        return None
    enumeration = _ENUMERATIONS.get(f"{table_name}.{field.name}", _ENUMERATIONS.get(field.name))
    if enumeration is tflite.TensorType:
        return _DTYPE_NAMES
    return None if enumeration is None else members(enumeration)


def read_options(kind: str, accessors: Any | None) -> dict[str, OptionValue]:
    """The options of an operator of `kind`, each field of its table.

    `accessors` is the verified table in the file. Where it is None, the
    schema's defaults are given, which is what TFLM's parser falls back to.
    Raises UnknownEnumerator.
    """
    name = options_table(kind)
    if name is None:
        return {}
    return {f.name: _option(name, f, accessors) for f in table(name).fields.values()}


def _option(table_name: str, field: Field, accessors: Any | None) -> OptionValue:
    value: Any = field.default
    if field.kind is not FieldKind.SCALAR:
        return _reference_option(field, accessors)
    if accessors is not None:
        value = getattr(accessors, field.accessor)()
    names = enumerators(table_name, field)
    if names is None:
        return value  # type: ignore[no-any-return]
    if value not in names:
        raise UnknownEnumerator(field.name, value, names)
    return names[value]


def _reference_option(field: Field, accessors: Any | None) -> OptionValue:
    """The value of a field that is stored behind an offset: text, bytes or numbers."""
    if field.kind is FieldKind.STRING:
        text = None if accessors is None else getattr(accessors, field.accessor)()
        return (text or b"").decode("utf-8", "replace")
    if field.kind is not FieldKind.SCALARS:
        return None  # tables within options: only of operators outside of this compiler
    values = () if accessors is None else vector(accessors, field.accessor)
    return bytes(values) if field.numpy_type == "uint8" else tuple(values)


def vector(accessors: Any, accessor: str) -> list[Any] | bytes:
    """A vector of scalars as Python numbers (bytes as bytes); empty where it is absent."""
    values = getattr(accessors, f"{accessor}AsNumpy")()
    if isinstance(values, int):  # the generated accessors give 0 for an absent vector
        return []
    return bytes(values) if values.dtype == "uint8" else values.tolist()


def stored_options(kind: str, options: Mapping[str, OptionValue]) -> dict[str, Any]:
    """The values of the options table of `kind` as the file stores them.

    Raises ValueError for a name that the table does not have, or an
    enumerator that is unknown.
    """
    name = options_table(kind)
    fields = table(name).fields if name else {}
    unknown = sorted(set(options) - set(fields))
    if unknown:
        raise ValueError(f"{kind} has no option {', '.join(unknown)}")
    return {
        option: _stored(name or "", fields[option], value)
        for option, value in options.items()
        if value is not None
    }


def _stored(table_name: str, field: Field, value: OptionValue) -> Any:
    names = enumerators(table_name, field)
    if names is None:
        return value
    for number, known in names.items():
        if known == value:
            return number
    raise ValueError(f"{field.name} is {value!r}; known are {', '.join(names.values())}")
