"""The description of the schema, and the options that are read by it."""

from __future__ import annotations

import inspect

import pytest
import tflite

from mcucomp.tflite.options import (
    UnknownEnumerator,
    code_of,
    enumerators,
    kinds,
    options_table,
    read_options,
    stored_options,
)
from mcucomp.tflite.schema import FieldKind, snake_case, table

TABLES = [
    name
    for name, item in vars(tflite).items()
    if inspect.isclass(item) and "_tab" in getattr(item, "__slots__", ())
]
OPTIONS_TABLES = [name for name in TABLES if name.endswith("Options")]


def test_a_table_is_described_as_in_the_schema() -> None:
    fields = table("Conv2DOptions").fields
    assert [(f.name, f.slot, f.numpy_type, f.default) for f in fields.values()] == [
        ("padding", 0, "int8", 0),
        ("stride_w", 1, "int32", 0),
        ("stride_h", 2, "int32", 0),
        ("fused_activation_function", 3, "int8", 0),
        ("dilation_w_factor", 4, "int32", 1),
        ("dilation_h_factor", 5, "int32", 1),
        ("quantized_bias_type", 6, "int8", 0),
    ]
    tensor = table("Tensor").fields
    assert tensor["quantization"].table == "QuantizationParameters"
    assert tensor["shape"].kind is FieldKind.SCALARS
    assert table("Model").fields["subgraphs"].kind is FieldKind.TABLES
    assert table("Operator").fields["builtin_options2"].kind is FieldKind.UNION


@pytest.mark.parametrize("name", TABLES)
def test_every_field_can_be_written_by_the_generated_functions(name: str) -> None:
    writers = {f for f in dir(tflite) if f.startswith(f"{name}Add")}
    fields = table(name).fields.values()
    assert {f"{name}Add{field.accessor}" for field in fields} <= writers
    assert len({field.slot for field in fields}) == len(fields)


def test_no_table_of_that_name() -> None:
    with pytest.raises(KeyError):
        table("Padding")


@pytest.mark.parametrize(
    ("accessor", "name"),
    [
        ("StrideW", "stride_w"),
        ("DilationWFactor", "dilation_w_factor"),
        ("PotScaleInt16", "pot_scale_int16"),
        ("Seed2", "seed2"),
    ],
)
def test_names_are_the_schemas(accessor: str, name: str) -> None:
    assert snake_case(accessor) == name


def test_every_number_of_one_byte_is_an_enumeration() -> None:
    """In the options of the schema, int8 is used for nothing else; a new one needs its row."""
    unnamed = [
        f"{name}.{field.name}"
        for name in OPTIONS_TABLES
        for field in table(name).fields.values()
        if field.numpy_type == "int8" and enumerators(name, field) is None
    ]
    assert unnamed == []


def test_every_options_table_belongs_to_an_operator() -> None:
    owned = {options_table(kind) for kind in kinds().values()}
    assert set(OPTIONS_TABLES) - owned == set()


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("CONV_2D", "Conv2DOptions"),
        ("MAX_POOL_2D", "Pool2DOptions"),
        ("MEAN", "ReducerOptions"),
        ("BATCH_MATMUL", "BatchMatMulOptions"),
        ("SVDF", "SVDFOptions"),
        ("RELU", None),
        ("CUSTOM", None),
        ("DILATE", "DilateOptions"),
    ],
)
def test_the_options_of_a_kind(kind: str, name: str | None) -> None:
    assert options_table(kind) == name


def test_codes_and_kinds() -> None:
    assert kinds()[3] == "CONV_2D"
    assert code_of("CONV_2D") == 3
    with pytest.raises(ValueError, match=r"^CONV_9D is no builtin operator$"):
        code_of("CONV_9D")


def test_defaults_where_options_are_absent() -> None:
    assert read_options("MAX_POOL_2D", None) == {
        "padding": "SAME",
        "stride_w": 0,
        "stride_h": 0,
        "filter_width": 0,
        "filter_height": 0,
        "fused_activation_function": "NONE",
    }
    assert read_options("RESHAPE", None) == {"new_shape": ()}
    assert read_options("UNIQUE", None) == {"idx_out_type": "int32"}
    assert read_options("RELU", None) == {}


def test_options_as_they_are_stored() -> None:
    assert stored_options("CONV_2D", {"padding": "VALID", "stride_w": 2}) == {
        "padding": 1,
        "stride_w": 2,
    }
    assert stored_options("CAST", {"in_data_type": "int16"}) == {"in_data_type": 7}


def test_options_that_do_not_exist() -> None:
    with pytest.raises(ValueError, match=r"^CONV_2D has no option beta, gamma$"):
        stored_options("CONV_2D", {"gamma": 1, "beta": 1})
    with pytest.raises(ValueError, match=r"^padding is 'HALF'; known are SAME, VALID$"):
        stored_options("CONV_2D", {"padding": "HALF"})


def test_an_unknown_number_names_the_known_ones() -> None:
    class Accessors:
        def FusedActivationFunction(self) -> int:  # noqa: N802
            return 9

    with pytest.raises(UnknownEnumerator) as caught:
        read_options("DIV", Accessors())
    assert str(caught.value) == (
        "fused_activation_function is 9; known are NONE, RELU, RELU_N1_TO_1, RELU6, TANH, SIGN_BIT"
    )
