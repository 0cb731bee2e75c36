"""Names are data: what they become in C can neither end a comment nor be code."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcucomp.codegen.names import comment, identifier


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mlperf-kws-dscnn-int8", "mlperf_kws_dscnn_int8"),
        ("Größe 2", "groe_2"),
        ("9lives", "9lives"),
        ("__x__", "x"),
        ("../../etc/passwd", "etc_passwd"),
        ("日本", "model"),
        ("", "model"),
        ("a" * 100, "a" * 40),
    ],
)
def test_identifier(name: str, expected: str) -> None:
    assert identifier(name) == expected


@given(st.text())
def test_identifier_is_always_one(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", identifier(name))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("block_1/add:0", "block_1/add:0"),
        ("x*/ int main(){} /*", "x_/_int_main_____/_"),
        ("line\nbreak\\", "line_break_"),
        ("what??/", "what__/"),
        ("", "(unnamed)"),
    ],
)
def test_comment(name: str, expected: str) -> None:
    assert comment(name) == expected


@given(st.text())
def test_comment_cannot_leave_its_comment(name: str) -> None:
    text = comment(name)
    assert text.isascii()
    assert text.isprintable()
    for forbidden in ("*", "\\", "?", "//"):
        assert forbidden not in text
