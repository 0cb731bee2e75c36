"""Operators with other operands than they take: planned or refused, whatever their kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from mcucomp import pipeline
from mcucomp.errors import McucompError
from mcucomp.ir import DType
from mcucomp.ops import registered
from mcucomp.rules import ALL
from tests.fuzz.pipeline import require_safe
from tests.support.models import ABSENT, ModelBuilder

KINDS = [kind for kind, definition in registered().items() if not definition.is_custom]
Operands = tuple[tuple[int, ...], tuple[int, ...]]
CHANGES: dict[str, Callable[[int, int], Operands]] = {
    "no inputs": lambda x, y: ((), (y,)),
    "one input": lambda x, y: ((x,), (y,)),
    "no outputs": lambda x, y: ((x, x), ()),
    "an input alone": lambda x, y: ((x,), ()),
    "absent inputs": lambda x, y: ((ABSENT, ABSENT, ABSENT), (y,)),
    "too many": lambda x, y: ((x,) * 7, (y,)),
}
SHAPE = (1, 4, 4, 2)


def model_with(kind: str, change: str, dtype: DType) -> bytes:
    """The operator between two additions, so that what looks at neighbours meets it, too.

    One that takes floats is the first, as QUANTIZE at the edge of a graph is.
    """
    b, quantized = ModelBuilder(), {"dtype": dtype, "scale": 0.5, "zero_point": 3}
    x = b.input(SHAPE, **quantized)
    is_first = dtype is DType.FLOAT32
    before = x if is_first else b.operator("ADD", (x, x), SHAPE, **quantized)
    after = b.tensor(SHAPE, **quantized)
    inputs, outputs = CHANGES[change](before, after)
    b.operator_into(kind, inputs, outputs)
    if outputs or not is_first:
        b.operator("ADD", (after if outputs else before,) * 2, SHAPE, **quantized)
    return b.bytes()


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("dtype", [DType.INT8, DType.UINT8, DType.FLOAT32], ids=lambda d: d.value)
def test_other_operands(dtype: DType, change: str) -> None:
    refused = 0
    for kind in KINDS:
        try:
            data = model_with(kind, change, dtype)
            pipeline.plan_model(data, "damaged.tflite", rules=replace(ALL, integers=True))
        except McucompError as error:
            require_safe(error)
            refused += 1
    assert refused, "no operator minds operands that are not its own"
