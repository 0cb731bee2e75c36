"""The plan of a build is verified with the kernels that the build chose."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcucomp import ir, pipeline, planning, tflite
from mcucomp.backends import Selection
from mcucomp.certify.digest import digest_of
from mcucomp.errors import CheckFailed

DIGITS = Path(__file__).parents[3] / "examples" / "digits" / "digits.tflite"


def planned() -> tuple[dict[str, object], ir.Model]:
    data = DIGITS.read_bytes()
    result = pipeline.plan_model(data, DIGITS.name, selection=Selection("cortex-m4"))
    return result.document, tflite.read(data, DIGITS.name)


def test_the_plan_of_a_build_is_valid_with_its_scratch() -> None:
    document, model = planned()
    assert any(step["scratch_bytes"] for step in document["steps"])
    assert planning.check_document(document, model)


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"cpu": "cortex-m0"}, "plan.json: steps"),
        ({"from": "portable"}, "plan.json: steps"),
        ({"optimize": "fast"}, "plan.json: kernels: does not say how kernels were chosen"),
    ],
)
def test_other_kernels_are_another_plan(changed: dict[str, object], where: str) -> None:
    document, model = planned()
    document["kernels"] = {**document["kernels"], **changed}
    document["digest"] = digest_of(document)
    with pytest.raises(CheckFailed) as failure:
        planning.check_document(document, model)
    assert str(failure.value).startswith(where)
