"""UNIDIRECTIONAL_SEQUENCE_LSTM: a long short-term memory, without variants that add weights."""

from __future__ import annotations

import math

import numpy as np

from mcucomp.ir import DType, Tensor
from mcucomp.ops.arithmetic import (
    folded_bias,
    is_scalable,
    is_widely_scalable,
    quantize_multiplier,
    wide_multiplier,
)
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
    dims,
    has_elements,
    has_option,
    has_rank,
    has_weight_scales,
    has_zero_point,
    is_constant,
    is_quantized,
    quantization_of,
    scale_of,
    zero_point_of,
)
from mcucomp.ops.constants import array_of
from mcucomp.ops.element_types import has_types, where
from mcucomp.ops.sigmoids import sigmoid_table
from mcucomp.ops.state import is_variable, variable_slot

_GATES = ("input", "forget", "cell", "output")
WEIGHTS = tuple(Role(f"{gate} gate's input weights", 1 + k) for k, gate in enumerate(_GATES))
RECURRENT = tuple(Role(f"{gate} gate's recurrent weights", 5 + k) for k, gate in enumerate(_GATES))
BIASES = tuple(Role(f"{gate} gate's bias", 12 + k) for k, gate in enumerate(_GATES))
HIDDEN = Role("hidden state", 18)
CELL = Role("cell state", 19)
_CONSTANTS = (*WEIGHTS, *RECURRENT, *BIASES)
_INPUTS = 24
# Peephole, projection and layer normalisation.
_ABSENT = (9, 10, 11, 16, 17, 20, 21, 22, 23)

_F32, _I8, _I16, _I32, _I64 = (
    DType.FLOAT32, DType.INT8, DType.INT16, DType.INT32, DType.INT64,
)  # fmt: skip
_GATE_SCALE = 2.0**-12
_FRACTION_SCALE = 2.0**-15
_KERNELS = {_F32: "mcuc_lstm_f32", _I8: "mcuc_lstm_s8", _I16: "mcuc_lstm_s16"}


def _tensors_found(node: Node) -> str | None:
    inputs, outputs = len(node.operator.inputs), len(node.operator.outputs)
    if (inputs, outputs) != (_INPUTS, 1):
        return f"{inputs} inputs and {outputs} outputs"
    absent = [role for role in (INPUT, *_CONSTANTS, HIDDEN, CELL) if role.of(node) is None]
    return f"no {absent[0].name}" if absent else None


def _variants_found(node: Node) -> str | None:
    given = [k for k in _ABSENT if node.has_input(k)]
    return f"input {given[0]}" if given else None


def _is_time_major(node: Node) -> bool:
    return bool(node.operator.options.get("time_major"))


def _sizes(node: Node) -> tuple[int, int, int, int]:
    """Batches, steps, inputs and units."""
    first, second, inputs = node.input(0).shape
    batches, steps = (second, first) if _is_time_major(node) else (first, second)
    return batches, steps, inputs, node.output().shape[2]


def _shapes_found(node: Node) -> str | None:
    batches, _, inputs, units = _sizes(node)
    if node.output().shape[:2] != node.input(0).shape[:2]:
        return f"input {dims(node.input(0).shape)}, output {dims(node.output().shape)}"
    wanted = {
        **dict.fromkeys(WEIGHTS, (units, inputs)),
        **dict.fromkeys(RECURRENT, (units, units)),
        **dict.fromkeys(BIASES, (units,)),
    }
    for role, shape in wanted.items():
        given = node.input(role.position).shape
        if given != shape:
            return f"{role.name} {dims(given)}, not {dims(shape)}"
    for role in (HIDDEN, CELL):
        count = node.input(role.position).elements
        if count != batches * units:
            return f"{role.name} of {count} elements, not {batches * units}"
    return None


def _one_scale_found(node: Node) -> str | None:
    counts = [len(quantization_of(node.input(r.position)).scales) for r in (*WEIGHTS, *RECURRENT)]
    return None if max(counts) == 1 else f"{max(counts)}"


def _gate_reals(node: Node, roles: tuple[Role, ...], source: Tensor) -> list[float]:
    """From the sums of each gate to steps of 2^-12."""
    scales = [quantization_of(node.input(role.position)).scales[0] for role in roles]
    return [scale_of(source) * scale / _GATE_SCALE for scale in scales]


def _product_reals(node: Node) -> list[float]:
    """Of forget gate times cell state, input gate times candidate, tangent times output gate."""
    cell, hidden = scale_of(node.input(19)), scale_of(node.input(18))
    fraction = _FRACTION_SCALE * _FRACTION_SCALE
    return [_FRACTION_SCALE * cell / cell, fraction / cell, fraction / hidden]


def _scales_found(node: Node) -> str | None:
    gates = [
        *_gate_reals(node, WEIGHTS, node.input(0)),
        *_gate_reals(node, RECURRENT, node.input(18)),
    ]
    is_fine = is_widely_scalable if node.input(0).dtype is _I16 else is_scalable
    wrong = [r for r in gates if not is_fine(r)]
    wrong += [r for r in _product_reals(node) if not is_scalable(r)]
    return f"{wrong[0]:.6g}" if wrong else None


def _cell_power(node: Node) -> int:
    """The power of 2 that is nearest to the cell state's scale."""
    return round(math.log2(scale_of(node.input(19))))


def _cell_power_found(node: Node) -> str | None:
    return None if -40 < _cell_power(node) <= 0 else f"{scale_of(node.input(19)):.6g}"


def _joined(node: Node, roles: tuple[Role, ...]) -> np.ndarray:
    """The constants of all gates, one behind the other: (4, units, ...)."""
    return np.stack([array_of(node.input(role.position)) for role in roles])


def _array(values: np.ndarray, *, is_weight: bool) -> ConstantArray:
    c_type = "float" if values.dtype == np.float32 else f"{values.dtype.name}_t"
    return ConstantArray(c_type, values.ravel(), is_weight)


def _weights(node: Node) -> dict[str, ParamValue]:
    inputs, recurrent, bias = (_joined(node, roles) for roles in (WEIGHTS, RECURRENT, BIASES))
    params: dict[str, ParamValue] = {
        "input_weights": _array(inputs, is_weight=True),
        "recurrent_weights": _array(recurrent, is_weight=True),
        "bias": _array(bias, is_weight=False),
    }
    if node.input(0).dtype is _I8:
        for name, rows, start, source in (
            ("bias", inputs, bias.ravel(), node.input(0)),
            ("recurrent_bias", recurrent, None, node.input(18)),
        ):
            flat = rows.reshape(-1, rows.shape[-1])
            params[name] = _array(folded_bias(start, flat, zero_point_of(source)), is_weight=False)
    return params


def _gate_scaling(node: Node, name: str, reals: list[float]) -> dict[str, ParamValue]:
    if node.input(0).dtype is _I16:
        pairs = [wide_multiplier(real) for real in reals]
    else:
        pairs = [(m, -e) for m, e in map(quantize_multiplier, reals)]
    return {
        f"{name}_multiplier": tuple(m for m, _ in pairs),
        f"{name}_right_shift": tuple(s for _, s in pairs),
    }


def _cell_clip(node: Node) -> float:
    """The largest magnitude of a cell state; 0 and less are no limit."""
    clip = node.operator.options.get("cell_clip")
    return clip if isinstance(clip, float) and clip > 0 else math.inf


def _cell_limits(node: Node) -> tuple[int, int]:
    clip = _cell_clip(node)
    if clip == math.inf:
        return -(2**15), 2**15 - 1
    most = int(min(clip / scale_of(node.input(19)), 2.0**15 - 1))
    return -most, most


def _scaling(node: Node) -> dict[str, ParamValue]:
    products = [quantize_multiplier(real) for real in _product_reals(node)]
    shift = 12 + _cell_power(node)
    params: dict[str, ParamValue] = {
        **_gate_scaling(node, "input", _gate_reals(node, WEIGHTS, node.input(0))),
        **_gate_scaling(node, "recurrent", _gate_reals(node, RECURRENT, node.input(18))),
    }
    for name, (multiplier, exponent) in zip(("forget", "cell", "hidden"), products, strict=True):
        params[f"{name}_multiplier"] = multiplier
        params[f"{name}_right_shift"] = -exponent
    low, high = _cell_limits(node)
    return {
        **params,
        "hidden_zero_point": zero_point_of(node.input(18)),
        "tanh_multiplier": 3 << max(shift, 0),
        "tanh_shift": max(-shift, 0),
        "cell_min": low,
        "cell_max": high,
    }


def _lower(node: Node) -> KernelCall:
    batches, steps, inputs, units = _sizes(node)
    is_time_major, dtype = _is_time_major(node), node.input(0).dtype
    params: dict[str, ParamValue] = {**_weights(node)}
    if dtype is not _F32:
        params["table"] = ConstantArray("uint16_t", sigmoid_table())
    params |= {
        "batches": batches,
        "steps": steps,
        "batch_rows": 1 if is_time_major else steps,
        "step_rows": batches if is_time_major else 1,
        "inputs": inputs,
        "units": units,
    }
    if dtype is _F32:
        params["cell_clip"] = _cell_clip(node)
    else:
        params |= _scaling(node)
    return KernelCall(
        _KERNELS[dtype],
        params,
        reads=(node.input(0).index,),
        writes=(node.output().index,),
        macs=batches * steps * 4 * units * (inputs + units),
        updates=(variable_slot(node, 18), variable_slot(node, 19)),
    )


def _types_constraint() -> Constraint:
    roles = (INPUT, WEIGHTS[0], BIASES[0], HIDDEN, CELL, OUTPUT)
    rows = (
        (_F32, _F32, _F32, _F32, _F32, _F32),
        (_I8, _I8, _I32, _I8, _I16, _I8),
        (_I16, _I8, _I64, _I16, _I16, _I16),
    )
    return has_types(roles, rows)


def _alike_found(node: Node) -> str | None:
    for first, *others in ((*WEIGHTS, *RECURRENT), BIASES):
        wanted = node.input(first.position).dtype
        for role in others:
            if node.input(role.position).dtype is not wanted:
                return f"{role.name} of {node.input(role.position).dtype.value}"
    return None


UNIDIRECTIONAL_SEQUENCE_LSTM = register(
    OperatorDef(
        kind="UNIDIRECTIONAL_SEQUENCE_LSTM",
        summary="a long short-term memory",
        constraints=(
            Constraint(
                "there are 24 inputs and one output, and weights and biases of four gates",
                _tensors_found,
            ),
            Constraint("peephole, projection and layer normalisation are absent", _variants_found),
            _types_constraint(),
            Constraint("all weights have one type, and all biases", _alike_found),
            *(is_constant(role) for role in _CONSTANTS),
            is_variable(HIDDEN),
            is_variable(CELL),
            has_rank(INPUT, 3),
            has_rank(OUTPUT, 3),
            has_elements(INPUT),
            has_elements(OUTPUT),
            Constraint("tensors have the shapes that batches and units give", _shapes_found),
            has_option(
                "fused_activation_function",
                "fused activation is TANH",
                lambda value: value == "TANH",
            ),
            *(is_quantized(role) for role in (INPUT, HIDDEN, CELL)),
            *(where((_I8, _I16), has_weight_scales(r, 0)) for r in (*WEIGHTS, *RECURRENT)),
            where((_I8, _I16), Constraint("weights have one scale", _one_scale_found)),
            where((_I8, _I16), has_zero_point(CELL, 0)),
            *(where(_I16, has_zero_point(role, 0)) for role in (INPUT, HIDDEN)),
            where((_I8, _I16), Constraint("cell scale is from 2^-40 to 1", _cell_power_found)),
            where(
                (_I8, _I16),
                Constraint(
                    "scales of gates are below 2^30 steps of 2^-12, for int16 below 2^7 steps",
                    _scales_found,
                ),
            ),
        ),
        lower=_lower,
    )
)
