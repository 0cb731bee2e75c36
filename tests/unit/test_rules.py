"""Which rules does a text name?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from mcucomp.errors import InvalidInput
from mcucomp.rules import ALL, DEFAULT, Rules, parse


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("orders", Rules()),
        ("", Rules()),
        ("orders,+views", Rules(views=True)),
        ("+overlap,+rewrites", Rules(rewrites=True, overlap=True)),
        ("orders+views+overlap", Rules(views=True, overlap=True)),
        ("all", ALL),
        ("all,free-rows", DEFAULT),
        ("all,rows", replace(ALL, rows=True)),
        ("views,free-rows", Rules(views=True, free_rows=True)),
    ],
)
def test_names_are_read(text: str, rules: Rules) -> None:
    assert parse(text) == rules


def test_what_is_written_is_read_again() -> None:
    assert ALL.name == "orders+views+rewrites+overlap+edges+values"
    assert DEFAULT.name == ALL.name, "a plan is in rows, or it is not"
    assert Rules().name == "orders"
    for rules in (Rules(), ALL, Rules(views=True), Rules(overlap=True)):
        assert parse(rules.name) == rules


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InvalidInput) as failure:
        parse("orders,+view")
    assert str(failure.value) == (
        "--rules: rule view is not known\n"
        "  fix: known are views, values, overlap, integers, rewrites, free-rows, rows, edges, "
        "orders, all"
    )
