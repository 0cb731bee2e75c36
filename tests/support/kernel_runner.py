"""How does a test run one kernel call on the host?

All portable kernels are compiled once into a shared library, with the checks
of UBSan, and called through ctypes: the parameter struct is built from the
members that the kernel's header declares, in its order. Arrays lie between
guard bytes, so that a write outside them is noticed.
"""

from __future__ import annotations

import ctypes
import functools
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mcucomp.ir import DType, Graph, Model
from mcucomp.ops import ConstantArray, KernelCall, Node, ParamValue, Slot, definition_of
from mcucomp.ops.constants import array_of

FIRMWARE = Path(__file__).parents[2] / "firmware"
GUARD_BYTES = 64
GUARD = 0xA5

# The bytes of slots of state, by their keys.
State = dict[tuple[str | int, ...], np.ndarray]

_FLAGS = (
    "-std=c99", "-O1", "-g", "-fPIC", "-shared", "-ffp-contract=off",
    "-fsanitize=undefined", "-fno-sanitize-recover=all",
)  # fmt: skip

_C_TYPES: Mapping[str, type[ctypes._SimpleCData]] = {
    "int8_t": ctypes.c_int8,
    "uint8_t": ctypes.c_uint8,
    "int16_t": ctypes.c_int16,
    "uint16_t": ctypes.c_uint16,
    "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "float": ctypes.c_float,
}
_NUMPY_TYPES = {
    DType.BOOL: np.bool_,
    DType.INT8: np.int8,
    DType.INT16: np.int16,
    DType.UINT8: np.uint8,
    DType.UINT32: np.uint32,
    DType.INT32: np.int32,
    DType.INT64: np.int64,
    DType.UINT64: np.uint64,
    DType.FLOAT32: np.float32,
}
_MEMBER = re.compile(r"^\s*(const )?(\w+) (\*?)(\w+)(?:\[(\d+)\])?;", re.MULTILINE)


@functools.cache
def library() -> ctypes.CDLL:
    """All portable kernels, compiled for the host."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    assert compiler, "no C compiler found; install gcc"
    sources = sorted((FIRMWARE / "kernels" / "portable").glob("*.c"))
    folder = tempfile.mkdtemp(prefix="mcucomp-kernels-")
    target = Path(folder) / "kernels.so"
    command = [compiler, *_FLAGS, f"-I{FIRMWARE / 'include'}", "-o", str(target)]
    subprocess.run([*command, *map(str, sources), "-lm"], check=True)
    loaded = ctypes.CDLL(str(target))
    shutil.rmtree(folder)
    return loaded


@functools.cache
def params_type(kernel: str) -> type[ctypes.Structure]:
    """The kernel's parameter struct, read from its header."""
    header = FIRMWARE / "include" / "mcuc" / f"{kernel.removeprefix('mcuc_')}.h"
    text = header.read_text()
    same = re.search(r"typedef (\w+)_params " + kernel + "_params;", text)
    if same:
        return params_type(same[1])
    found = re.search(r"typedef struct \{(.*?)\}\s*" + kernel + "_params;", text, re.DOTALL)
    assert found, f"{header.name} declares no {kernel}_params"
    fields: list[tuple[str, type]] = []
    for _, c_type, star, name, length in _MEMBER.findall(found[1]):
        member: type = ctypes.c_void_p if star else _C_TYPES[c_type]
        fields.append((name, member * int(length) if length else member))
    return type(f"{kernel}_params", (ctypes.Structure,), {"_fields_": fields})


def params_struct(call: KernelCall) -> tuple[ctypes.Structure, list[np.ndarray]]:
    """The struct of `call`, and the arrays that it points to."""
    struct_type = params_type(call.kernel)
    names = [name for name, *_ in struct_type._fields_]
    assert names == list(call.params), f"{names} declared, {list(call.params)} given"
    struct, kept = struct_type(), []
    for name, value in call.params.items():
        _set(struct, name, value, kept)
        if isinstance(value, int):
            assert getattr(struct, name) == value, f"{name} = {value} does not fit its type"
    return struct, kept


def _set(struct: ctypes.Structure, name: str, value: ParamValue, kept: list[np.ndarray]) -> None:
    if isinstance(value, ConstantArray):
        values = np.ascontiguousarray(value.values)
        kept.append(values)
        setattr(struct, name, values.ctypes.data)
    elif isinstance(value, tuple):
        member = getattr(struct, name)
        assert len(member) == len(value)
        for i, entry in enumerate(value):
            member[i] = entry
            assert member[i] == entry, f"{name}[{i}] = {entry} does not fit its type"
    else:
        setattr(struct, name, value)


def initial_bytes(slot: Slot) -> np.ndarray:
    """What a slot of state holds before the first inference."""
    if isinstance(slot.initial, ConstantArray):
        return np.frombuffer(slot.initial.values.tobytes(), np.uint8).copy()
    return np.full(slot.size_bytes, slot.initial, np.uint8)


def run_call(
    call: KernelCall,
    inputs: list[np.ndarray],
    output_bytes: list[int],
    state: State | None = None,
) -> list[np.ndarray]:
    """Runs `call` and returns the bytes of each output; inputs must stay as they are.

    `state` has the bytes of slots by their keys; it is changed, and slots that are
    not in it yet are added.
    """
    struct, kept = params_struct(call)
    ins = [_guarded(np.frombuffer(a.tobytes(), np.uint8)) for a in inputs]
    outs = [_guarded(np.full(n, 0x5C, np.uint8)) for n in output_bytes]
    state = {} if state is None else state
    slots = [_guarded(state.get(slot.key, initial_bytes(slot))) for slot in call.updates]
    arrays = [*ins, *outs, *slots]
    if call.scratch_bytes:
        arrays.append(_guarded(np.full(call.scratch_bytes, 0x3B, np.uint8)))
    function = getattr(library(), call.kernel)
    function.restype = None
    before = [a.copy() for a in ins]
    arguments = [
        *_pointers(ins, as_array=call.reads_as_array),
        *_pointers(outs, as_array=call.writes_as_array),
        *_pointers(arrays[len(ins) + len(outs) :], as_array=False),
    ]
    function(ctypes.byref(struct), *arguments)
    assert all(np.array_equal(a, b) for a, b in zip(ins, before, strict=True)), "input changed"
    for array in arrays:
        assert (array[:GUARD_BYTES] == GUARD).all(), "bytes before an array changed"
        assert (array[-GUARD_BYTES:] == GUARD).all(), "bytes after an array changed"
    assert kept is not None
    for slot, array in zip(call.updates, slots, strict=True):
        state[slot.key] = array[GUARD_BYTES:-GUARD_BYTES]
    return [a[GUARD_BYTES:-GUARD_BYTES] for a in outs]


def _pointers(arrays: list[np.ndarray], *, as_array: bool) -> list[Any]:
    """What the kernel is given for `arrays`: a pointer each, or one to all of them."""
    pointers = [ctypes.c_void_p(a.ctypes.data + GUARD_BYTES) for a in arrays]
    return [(ctypes.c_void_p * len(pointers))(*pointers)] if as_array else pointers


def _guarded(values: np.ndarray) -> np.ndarray:
    guard = np.full(GUARD_BYTES, GUARD, np.uint8)
    return np.concatenate([guard, values, guard])


def run_graph(
    graph: Graph,
    inputs: list[np.ndarray],
    state: State | None = None,
    model: Model | None = None,
) -> dict[int, np.ndarray]:
    """Every operator of `graph` in its order; values of all tensors by index.

    `state` is as in `run_call`; hand the same one to inferences that follow each other.
    `model` is where the graph is the first one; only variables need it.
    """
    values = dict(zip(graph.inputs, inputs, strict=True))
    for tensor in graph.tensors:
        if tensor.data is not None:
            values[tensor.index] = array_of(tensor)
    for operator in graph.operators:
        node = Node(graph, operator, model)
        definition = definition_of(operator)
        assert definition is not None, f"{node.at} is not known"
        violation = definition.violation(node)
        assert violation is None, f"{node.at}: {violation}"
        call = definition.lower(node)
        if not call.kernel:  # a handle, of which no code remains
            assert call.control is None, f"{node.at} runs other graphs, which is not done here"
            continue
        written = [graph.tensors[i] for i in call.writes]
        reads = [values[i] for i in call.reads]
        results = run_call(call, reads, [t.size_bytes for t in written], state)
        for tensor, raw in zip(written, results, strict=True):
            typed = raw.copy().view(_NUMPY_TYPES[tensor.dtype])
            values[tensor.index] = typed.reshape(tensor.shape)
    return values


def run_model(
    model: Model, inputs: list[np.ndarray], state: State | None = None
) -> list[np.ndarray]:
    """The outputs of the first graph of `model`."""
    graph = model.graphs[0]
    values = run_graph(graph, inputs, state, model)
    return [values[i] for i in graph.outputs]
