"""SVDF: a dense layer over time, split into features of an input and their histories."""

from __future__ import annotations

import math

import numpy as np

from mcucomp.ir import DType
from mcucomp.ops.arithmetic import ACTIVATION_BOUNDS, is_scalable, quantize_multiplier
from mcucomp.ops.base import (
    ConstantArray,
    Constraint,
    KernelCall,
    Node,
    OperatorDef,
    ParamValue,
    register,
)
from mcucomp.ops.conditions import (
    INPUT,
    OUTPUT,
    Role,
    activation_of,
    dims,
    has_elements,
    has_known_activation,
    has_rank,
    has_zero_point,
    integer_option,
    is_constant,
    is_quantized,
    quantization_of,
    scale_of,
    takes,
    zero_point_of,
)
from mcucomp.ops.constants import array_of
from mcucomp.ops.element_types import has_types, where
from mcucomp.ops.state import is_variable, variable_slot

FEATURES = Role("feature weights", 1)
TIMES = Role("time weights", 2)
BIAS = Role("bias", 3)
STATE = Role("state", 4)
_ALL = (INPUT, FEATURES, TIMES, BIAS, STATE, OUTPUT)

# TFLM refuses a bias whose scale is further off.
_BIAS_SCALE_SLACK = 1e-5
_F32, _I8, _I16, _I32 = DType.FLOAT32, DType.INT8, DType.INT16, DType.INT32
_KERNELS = {_F32: "mcuc_svdf_f32", _I8: "mcuc_svdf_s8", _I16: "mcuc_svdf_s8_s16"}


def _rank(node: Node) -> int:
    return integer_option(node, "rank")


def _rank_found(node: Node) -> str | None:
    rank, filters = _rank(node), node.input(1).shape[0]
    return None if rank >= 1 and filters % rank == 0 else f"rank {rank}, {filters} filters"


def _shapes_found(node: Node) -> str | None:
    batches, inputs = node.input(0).shape
    filters, memory = node.input(1).shape[0], node.input(2).shape[1]
    units, bias = filters // _rank(node), BIAS.of(node)
    wanted = [(filters, inputs), (filters, memory), (units,), (batches, filters * memory)]
    tensors = [node.input(1), node.input(2), bias, node.input(4), node.output()]
    for tensor, shape in zip(tensors, [*wanted, (batches, units)], strict=True):
        if tensor is not None and tensor.shape != shape:
            return f"{dims(tensor.shape)} instead of {dims(shape)}"
    return None


def _reals(node: Node) -> tuple[float, float]:
    """From sums to the state, from the state's sums to the output; in double."""
    state = scale_of(node.input(4))
    first = scale_of(node.input(0)) * scale_of(node.input(1)) / state
    return first, state * scale_of(node.input(2)) / scale_of(node.output())


def _scales_found(node: Node) -> str | None:
    wrong = [real for real in _reals(node) if not is_scalable(real)]
    return f"{wrong[0]:.6g}" if wrong else None


def _bias_scale_found(node: Node) -> str | None:
    bias = BIAS.of(node)
    if bias is None:
        return "no bias"
    q = bias.quantization
    scale = q.scales[0] if q is not None and q.scales else 0.0
    product = float(np.float32(scale_of(node.input(4))) * np.float32(scale_of(node.input(2))))
    return None if abs(scale - product) < _BIAS_SCALE_SLACK else f"{scale:.6g}, not {product:.6g}"


def _has_single_scale(role: Role) -> Constraint:
    """Weights have one scale, and zero points that nobody reads."""

    def found(node: Node) -> str | None:
        tensor = role.of(node)
        q = None if tensor is None else tensor.quantization
        return "no quantisation" if q is None else _counted(len(quantization_of(tensor).scales))

    return Constraint(f"{role.name} has one scale", found)


def _counted(scales: int) -> str | None:
    return None if scales == 1 else f"{scales} scales"


def _array(node: Node, position: int, *, is_weight: bool = True) -> ConstantArray:
    tensor = node.input(position)
    return ConstantArray(tensor.dtype.c_type, array_of(tensor).ravel(), is_weight)


def _bias(node: Node) -> ConstantArray:
    if BIAS.of(node) is not None:
        return _array(node, 3, is_weight=False)
    return ConstantArray("float", np.zeros(node.output().shape[1], np.float32))


def _scaling(node: Node) -> dict[str, ParamValue]:
    if node.input(0).dtype is _F32:
        low, high = ACTIVATION_BOUNDS[activation_of(node)]
        return {
            "out_min": -math.inf if low is None else low,
            "out_max": math.inf if high is None else high,
        }
    first, second = (quantize_multiplier(real) for real in _reals(node))
    return {
        "state_multiplier": first[0],
        "state_right_shift": -first[1],
        "multiplier": second[0],
        "right_shift": -second[1],
        "in_zero_point": zero_point_of(node.input(0)),
        "state_zero_point": zero_point_of(node.input(4)),
        "out_zero_point": zero_point_of(node.output()),
    }


def _lower(node: Node) -> KernelCall:
    batches, inputs = node.input(0).shape
    filters, memory = node.input(2).shape
    params: dict[str, ParamValue] = {
        "feature_weights": _array(node, 1),
        "time_weights": _array(node, 2),
        "bias": _bias(node),
        "batches": batches,
        "inputs": inputs,
        "units": node.output().shape[1],
        "rank": _rank(node),
        "memory": memory,
        **_scaling(node),
    }
    return KernelCall(
        _KERNELS[node.input(4).dtype],
        params,
        reads=(node.input(0).index,),
        writes=(node.output().index,),
        macs=batches * filters * (inputs + memory),
        updates=(variable_slot(node, 4),),
    )


SVDF = register(
    OperatorDef(
        kind="SVDF",
        summary="a dense layer over time; of int8 without its fused activation, as in TFLM",
        constraints=(
            takes(INPUT, FEATURES, TIMES, BIAS, STATE),
            has_types(
                _ALL,
                (
                    (_F32, _F32, _F32, _F32, _F32, _F32),
                    (_I8, _I8, _I8, _I32, _I8, _I8),
                    (_I8, _I8, _I16, _I32, _I16, _I8),
                ),
            ),
            *(is_constant(role) for role in (FEATURES, TIMES, BIAS)),
            is_variable(STATE),
            *(has_rank(role, 2) for role in (INPUT, FEATURES, TIMES, STATE, OUTPUT)),
            *(has_elements(role) for role in (INPUT, FEATURES, TIMES, STATE, OUTPUT)),
            Constraint("filters are a multiple of the rank, which is at least 1", _rank_found),
            Constraint("tensors have the shapes that filters and rank give", _shapes_found),
            *(is_quantized(role) for role in (INPUT, STATE, OUTPUT)),
            *(where(_I8, _has_single_scale(role)) for role in (FEATURES, TIMES)),
            where(_I16, has_zero_point(STATE, 0), STATE),
            where(_F32, has_known_activation()),
            where(
                _I8,
                Constraint(
                    "bias scale differs from state scale * time scale by less than 0.00001",
                    _bias_scale_found,
                ),
            ),
            where(
                _I8,
                Constraint(
                    "input scale * feature scale / state scale, and state scale * time scale / "
                    "output scale, are below 2^30",
                    _scales_found,
                ),
            ),
        ),
        lower=_lower,
    )
)
