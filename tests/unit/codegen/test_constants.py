"""Numbers as C writes them, and arrays that are shared."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcucomp.codegen.constants import ConstantPool, float_literal, literal
from mcucomp.ops import ConstantArray


@pytest.mark.parametrize(
    ("value", "c_type", "expected"),
    [
        (-128, "int8_t", "-128"),
        (-(2**31), "int32_t", "INT32_MIN"),
        (2**31 - 1, "int32_t", "2147483647"),
        (2**32 - 1, "uint32_t", "4294967295u"),
        (0.5, "float", "0.5f"),
        (1.0, "float", "1.0f"),
        (-1e-30, "float", "-1e-30f"),
    ],
)
def test_literal(value: float, c_type: str, expected: str) -> None:
    assert literal(value, c_type) == expected


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_float_literal_keeps_every_bit(value: float) -> None:
    text = float_literal(value)
    assert text.endswith("f")
    assert "." in text or "e" in text, "an integer with an f is no C constant"
    assert struct.pack("<f", float(text[:-1])) == struct.pack("<f", value)


def test_what_is_no_number_has_the_names_of_math_h() -> None:
    values = (float("nan"), float("inf"), float("-inf"))
    assert [float_literal(v) for v in values] == ["NAN", "INFINITY", "-INFINITY"]


def test_int64_constants() -> None:
    values = (-(2**63), 2**63 - 1, -1)
    texts = [literal(v, "int64_t") for v in values]
    assert texts == ["INT64_MIN", "9223372036854775807LL", "-1LL"]


def test_equal_arrays_share_a_symbol_and_types_keep_them_apart() -> None:
    pool = ConstantPool("mcuc_m_")
    first = pool.add("a", ConstantArray("int8_t", np.array([1, 2], np.int8)))
    again = pool.add("b", ConstantArray("int8_t", np.array([1, 2], np.int8)))
    other = pool.add("c", ConstantArray("uint8_t", np.array([1, 2], np.uint8)))
    assert (first, again, other) == ("mcuc_m_a", "mcuc_m_a", "mcuc_m_c")
    assert [a.symbol for a in pool.arrays] == ["mcuc_m_a", "mcuc_m_c"]


def test_an_array_without_elements_has_one_in_c() -> None:
    """ISO C forbids others; a constant output of no elements asked for one."""
    pool = ConstantPool("mcuc_m_")
    pool.add("none", ConstantArray("int32_t", np.array([], np.int32)))
    pool.add("zero", ConstantArray("int32_t", np.array([0], np.int32)))
    assert [(a.symbol, a.length) for a in pool.arrays] == [("mcuc_m_none", 1)]


def test_an_array_of_the_wrong_type_is_our_bug() -> None:
    with pytest.raises(TypeError, match="a: int8_t takes int8; got int32"):
        ConstantPool("x_").add("a", ConstantArray("int8_t", np.array([1], np.int32)))


def test_rows_stay_within_the_line() -> None:
    pool = ConstantPool("x_")
    pool.add("a", ConstantArray("int8_t", np.arange(-100, 100, dtype=np.int8)))
    (array,) = pool.arrays
    assert max(map(len, array.rows)) <= 96
    words = " ".join(array.rows).split()
    assert [int(w.rstrip(",")) for w in words] == list(range(-100, 100))
