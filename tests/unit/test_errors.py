"""One failure, told whole: text, JSON and exit status."""

from __future__ import annotations

import pytest

from mcucomp import errors
from mcucomp.errors import (
    DoesNotFit,
    McucompError,
    UnsupportedModel,
    nearest_first,
    printable,
    short_name,
)


def test_text_has_place_details_and_fix() -> None:
    error = UnsupportedModel(
        "2 operators cannot be compiled",
        at="kws.tflite",
        details=["operator 3 A: not supported", "operator 4 B: not supported"],
        fix="see 'mcucomp ops'",
    )
    assert str(error) == (
        "kws.tflite: 2 operators cannot be compiled\n"
        "  operator 3 A: not supported\n"
        "  operator 4 B: not supported\n"
        "  fix: see 'mcucomp ops'"
    )


def test_text_without_place_or_fix_is_one_line() -> None:
    assert str(DoesNotFit("too large")) == "too large"


def test_a_name_from_a_file_cannot_steer_the_terminal() -> None:
    error = DoesNotFit("tensor \x1b[31mred\x07\r", at="a\nb")
    assert str(error) == "a\\nb: tensor \\x1b[31mred\\x07\\r"


def test_json_form() -> None:
    assert DoesNotFit("w", at="a", details=["d"], fix="f").as_json() == {
        "kind": "does-not-fit",
        "what": "w",
        "at": "a",
        "details": ["d"],
        "fix": "f",
    }


def test_exit_status_follows_the_branch() -> None:
    by_branch = {"AnswerIsNo": 1, "RequestError": 2, "OutsideError": 3}
    for branch, status in by_branch.items():
        base = getattr(errors, branch)
        for kind in (base, *base.__subclasses__()):
            assert kind.exit_code == status
    assert McucompError.exit_code == 70


def test_the_docstring_draws_every_branch() -> None:
    def descendants(kind: type) -> list[type]:
        return [x for sub in kind.__subclasses__() for x in (sub, *descendants(sub))]

    assert errors.__doc__ is not None
    for kind in descendants(McucompError):
        if kind.__module__ == errors.__name__:
            assert kind.__name__ in errors.__doc__


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("grün", "grün"),
        ("a\tb", "a\\tb"),
        ("\x9b2J", "\\x9b2J"),
        ("‮x", "\\u202ex"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_nearest_first() -> None:
    assert nearest_first("stm23", ["host", "mps2-an386", "stm32"])[0] == "stm32"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("block_1/conv/Relu;block_1/conv/BiasAdd", "block_1/conv/Relu"),
        ("a" * 48, "a" * 48),
        ("b" + "a" * 48, "..." + "a" * 45),
        ("red\x1b[31m", "red\\x1b[31m"),
        ("", ""),
    ],
)
def test_short_name(name: str, shown: str) -> None:
    assert short_name(name) == shown
