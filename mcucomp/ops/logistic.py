"""LOGISTIC: 1 / (1 + exp(-x))."""

from __future__ import annotations

from mcucomp.ir import DType
from mcucomp.ops.base import register
from mcucomp.ops.conditions import INPUT, OUTPUT
from mcucomp.ops.scales import has_fixed_zero_point, has_power_scale
from mcucomp.ops.sigmoids import has_workable_scale, logistic_int8, sigmoid_int16
from mcucomp.ops.unary import table_of, transcendental, unary_definition

LOGISTIC = register(
    unary_definition(
        "LOGISTIC",
        "1 / (1 + exp(-x))",
        {
            DType.FLOAT32: transcendental("l"),
            DType.INT8: table_of(logistic_int8),
            DType.INT16: lambda node: sigmoid_int16(node, is_tanh=False),
        },
        more=(
            has_fixed_zero_point(DType.INT8, OUTPUT, -128),
            has_fixed_zero_point(DType.INT16, OUTPUT, 0),
            has_fixed_zero_point(DType.INT16, INPUT, 0),
            has_power_scale(OUTPUT, -15),
            has_workable_scale(),
        ),
        float_ulps=2,
    )
)
