"""Counts of compared cases: by test file, so that one file can be counted alone."""

from __future__ import annotations

import json

import pytest

from tests.oracle import counted
from tests.support.models import residual_network

WHOLE, OTHER = "test_dense.py", "test_pairs.py"


def test_a_file_that_ran_whole_replaces_its_counts_and_no_others() -> None:
    tally = counted.Tally()
    tally.add(WHOLE, [("ADD", "int8 -> int8", 2), ("ABS", "int8 -> int8", 1)])
    tally.add(WHOLE, [("ADD", "int8 -> int8", 3)])
    before: counted.Table = {
        OTHER: {"SUB": {"int8 -> int8": 7}},
        WHOLE: {"MUL": {"int8 -> int8": 9}},
        "test_that_is_gone.py": {"ADD": {"int8 -> int8": 100}},
    }
    assert tally.table(before) == {
        WHOLE: {"ABS": {"int8 -> int8": 1}, "ADD": {"int8 -> int8": 5}},
        OTHER: {"SUB": {"int8 -> int8": 7}},
    }


def test_a_file_with_a_skipped_test_keeps_its_counts() -> None:
    tally = counted.Tally()
    tally.add(WHOLE, [("ADD", "int8 -> int8", 2)])
    tally.skip(WHOLE)
    before: counted.Table = {WHOLE: {"ADD": {"int8 -> int8": 9}}}
    assert tally.table(before) == before


def test_each_operator_of_a_model_is_one_case_of_its_types() -> None:
    counted.taken()
    counted.count(residual_network().finish().graphs[0])
    rows = counted.taken()
    assert ("CONV_2D", "int8, int32 -> int8", 1) in rows
    assert ("QUANTIZE", "float32 -> int8", 1) in rows
    assert json.loads(json.dumps(rows)) == [list(row) for row in rows]
    assert counted.taken() == []


@pytest.mark.parametrize("file", [WHOLE, OTHER])
def test_the_files_are_those_of_the_oracle(file: str) -> None:
    assert (counted.FOLDER / file).is_file()
