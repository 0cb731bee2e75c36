"""Operators that only move values, in each type that TFLM takes."""

from __future__ import annotations

import numpy as np
import pytest

from mcucomp.ir import DType
from tests.oracle.cases import Draw, assert_as_tflm
from tests.support.kernel_runner import run_model
from tests.support.models import ModelBuilder

F32, I8, I16, I32, I64, BOOL = (
    DType.FLOAT32, DType.INT8, DType.INT16, DType.INT32, DType.INT64, DType.BOOL,
)  # fmt: skip
U8 = DType.UINT8
SEEDS = range(20)


def _scale(dtype: DType) -> float | None:
    return 0.5 if dtype in (I8, I16) else None


def _each(*dtypes: DType) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("dtype", dtypes, ids=lambda d: d.value)


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8, I16, I32, I64, BOOL)
def test_concatenation(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(1, 4)
    axis = draw.integer(0, len(shape) - 1)
    b, inputs, parts, total = ModelBuilder(), [], [], 0
    for _ in range(draw.integer(1, 5)):
        size = draw.integer(1, 4)
        part = (*shape[:axis], size, *shape[axis + 1 :])
        total += size
        values = draw.values(dtype, part)
        if parts and draw.integer(0, 3) == 0:
            parts.append(b.constant(values, [0.5] if _scale(dtype) else []))
        else:
            parts.append(b.input(part, dtype, _scale(dtype)))
            inputs.append(values)
    result = (*shape[:axis], total, *shape[axis + 1 :])
    options = {"axis": axis - draw.one_of(0, len(shape)), "fused_activation_function": "NONE"}
    b.operator("CONCATENATION", parts, result, dtype, _scale(dtype), **options)
    assert_as_tflm(b, inputs)


def test_concatenation_with_a_part_without_elements() -> None:
    b = ModelBuilder()
    x, nothing = b.input((2, 3), scale=0.5), b.constant(np.zeros((0, 3), np.int8), [0.5])
    options = {"axis": 0, "fused_activation_function": "NONE"}
    y = b.operator("CONCATENATION", (nothing, x, nothing), (2, 3), scale=0.5, **options)
    b.operator("ABS", (y,), (2, 3), scale=0.5)
    assert_as_tflm(b, [np.arange(-3, 3, dtype=np.int8).reshape(2, 3)])


def test_concatenation_of_more_than_tflm_takes() -> None:
    b = ModelBuilder()
    parts = [b.input((2, 1), scale=0.5) for _ in range(12)]
    b.operator("CONCATENATION", parts, (2, 12), scale=0.5, axis=1)
    values = [np.full((2, 1), i, np.int8) for i in range(12)]
    (got,) = run_model(b.finish(), values)
    assert np.array_equal(got, np.concatenate(values, axis=1))


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8, I16, I32, I64)
def test_pack(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(1, 4)
    axis, count = draw.integer(0, len(shape)), draw.integer(1, 4)
    b = ModelBuilder()
    parts = [b.input(shape, dtype, _scale(dtype)) for _ in range(count)]
    result = (*shape[:axis], count, *shape[axis:])
    b.operator(
        "PACK", parts, result, dtype, _scale(dtype),
        axis=axis - draw.one_of(0, len(result)), values_count=count,
    )  # fmt: skip
    assert_as_tflm(b, [draw.values(dtype, shape) for _ in range(count)])


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8, I16, I32)
def test_unpack(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(2, 4)
    axis = draw.integer(0, len(shape) - 1)
    b = ModelBuilder()
    x = b.input(shape, dtype, _scale(dtype))
    part = (*shape[:axis], *shape[axis + 1 :])
    parts = [b.tensor(part, dtype, _scale(dtype)) for _ in range(shape[axis])]
    axis -= draw.one_of(0, len(shape))
    b.operator_into("UNPACK", (x,), parts, axis=axis, num=len(parts))
    assert_as_tflm(b, [draw.values(dtype, shape)])


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8, I16, I32)
@pytest.mark.parametrize("kind", ["SPLIT", "SPLIT_V"])
def test_splits(kind: str, dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(1, 4)
    axis, count = draw.integer(0, len(shape) - 1), draw.integer(1, 4)
    sizes = [draw.integer(1, 3) for _ in range(count)]
    if kind == "SPLIT":
        sizes = sizes[:1] * count
    whole = (*shape[:axis], sum(sizes), *shape[axis + 1 :])
    b = ModelBuilder()
    x = b.input(whole, dtype, _scale(dtype))
    along = b.constant(np.array(axis - draw.one_of(0, len(shape)), np.int32))
    parts = [b.tensor((*shape[:axis], n, *shape[axis + 1 :]), dtype, _scale(dtype)) for n in sizes]
    if kind == "SPLIT":
        b.operator_into("SPLIT", (along, x), parts, num_splits=count)
    else:
        given = b.constant(np.array(sizes, np.int32))
        b.operator_into("SPLIT_V", (x, given, along), parts, num_splits=count)
    assert_as_tflm(b, [draw.values(dtype, whole)])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("index_type", [I32, I64], ids=lambda d: d.value)
@_each(F32, I8, I16, I32, BOOL)
def test_slice(dtype: DType, index_type: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(1, 5)
    begin = [draw.integer(0, d - 1) for d in shape]
    size = [draw.integer(1, d - at) for d, at in zip(shape, begin, strict=True)]
    given = [-1 if at + n == d else n for d, at, n in zip(shape, begin, size, strict=True)]
    b = ModelBuilder()
    x = b.input(shape, dtype, _scale(dtype))
    limits = [b.constant(np.array(v, index_type.value)) for v in (begin, given)]
    b.operator("SLICE", (x, *limits), size, dtype, _scale(dtype))
    assert_as_tflm(b, [draw.values(dtype, shape)])


@pytest.mark.parametrize("seed", range(30))
@_each(F32, I8, I16, I32, BOOL)
def test_strided_slice(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    while True:
        shape = draw.shape(1, 4, 7)
        rank = len(shape)
        steps = [draw.one_of(1, 1, 2, 3, -1, -2) for _ in shape]
        begin = [draw.integer(-d - 2, d + 2) for d in shape]
        end = [draw.integer(-d - 2, d + 2) for d in shape]
        masks = [draw.integer(0, 2**rank - 1) for _ in range(2)]
        shrink = draw.one_of(0, 0, 1 << draw.integer(0, rank - 1)) & ~masks[0]
        ranges = []
        for i in range(rank):
            first = None if masks[0] >> i & 1 else begin[i]
            stop = None if masks[1] >> i & 1 else end[i]
            if shrink >> i & 1:
                steps[i] = 1
                ranges.append([begin[i]] if -shape[i] <= begin[i] < shape[i] else [])
                continue
            ranges.append(list(range(shape[i]))[first : stop : steps[i]])
        if all(ranges):
            break
    result = [len(r) for i, r in enumerate(ranges) if not shrink >> i & 1]
    b = ModelBuilder()
    x = b.input(shape, dtype, _scale(dtype))
    limits = [b.constant(np.array(v, np.int32)) for v in (begin, end, steps)]
    b.operator(
        "STRIDED_SLICE", (x, *limits), result, dtype, _scale(dtype),
        begin_mask=masks[0], end_mask=masks[1], shrink_axis_mask=shrink,
    )  # fmt: skip
    assert_as_tflm(b, [draw.values(dtype, shape)])


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8, I16)
def test_transpose(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(1, 5)
    axes = draw.random.permutation(len(shape)).astype(np.int32)
    b = ModelBuilder()
    x = b.input(shape, dtype, _scale(dtype))
    result = [shape[i] for i in axes]
    b.operator("TRANSPOSE", (x, b.constant(axes)), result, dtype, _scale(dtype))
    assert_as_tflm(b, [draw.values(dtype, shape)])


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8, U8, I16, I32, I64, BOOL)
def test_reverse(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(1, 4)
    # TFLM takes only neighbouring axes, in order.
    first = draw.integer(0, len(shape) - 1)
    axes = np.arange(first, draw.integer(first, len(shape) - 1) + 1, dtype=np.int32)
    b = ModelBuilder()
    x = b.input(shape, dtype, _scale(dtype))
    b.operator("REVERSE_V2", (x, b.constant(axes)), shape, dtype, _scale(dtype))
    assert_as_tflm(b, [draw.values(dtype, shape)])


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8, I16, I32, BOOL)
@pytest.mark.parametrize("kind", ["RESHAPE", "SQUEEZE", "EXPAND_DIMS"])
def test_views(kind: str, dtype: DType, seed: int) -> None:
    if kind == "EXPAND_DIMS" and dtype not in (F32, I8, I16):
        dtype = F32
    draw = Draw(seed)
    shape = draw.shape(1, 3)
    at = draw.integer(0, len(shape))
    wider = (*shape[:at], 1, *shape[at:])
    b = ModelBuilder()
    x = b.input(wider if kind == "SQUEEZE" else shape, dtype, _scale(dtype))
    inputs, result = [x], shape if kind == "SQUEEZE" else wider
    if kind == "RESHAPE":
        inputs.append(b.constant(np.array(wider, np.int32)))
    if kind == "EXPAND_DIMS":
        inputs.append(b.constant(np.array([at], np.int32)))
    options = {"squeeze_dims": (at,)} if kind == "SQUEEZE" else {}
    b.operator(kind, inputs, result, dtype, _scale(dtype), **options)
    assert_as_tflm(b, [draw.values(dtype, b.tensors[x].shape)])


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8, I16, I32)
@pytest.mark.parametrize("kind", ["PAD", "PADV2"])
def test_pads(kind: str, dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(1, 5, 4)
    paddings = draw.random.integers(0, 3, (len(shape), 2)).astype(np.int32)
    paddings[draw.random.random(len(shape)) < 0.4] = 0
    result = (np.array(shape) + paddings.sum(axis=1)).tolist()
    scale, zero_point = _scale(dtype), draw.zero_point() if dtype is I8 else 0
    b = ModelBuilder()
    inputs = [b.input(shape, dtype, scale, zero_point), b.constant(paddings)]
    if kind == "PADV2":
        value = draw.values(dtype, ())
        quantization = ([scale], [zero_point]) if scale else ((), ())
        inputs.append(b.constant(np.asarray(value), *quantization))
    b.operator(kind, inputs, result, dtype, scale, zero_point)
    assert_as_tflm(b, [draw.values(dtype, shape)])


@_each(U8, DType.UINT32, I64, BOOL)
def test_margins_of_types_that_tflm_does_not_take(dtype: DType) -> None:
    draw = Draw(3)
    value, inside = draw.values(dtype, ()), draw.values(dtype, (2, 3))
    b = ModelBuilder()
    x = b.input((2, 3), dtype)
    sides = b.constant(np.array([[1, 0], [0, 2]], np.int32))
    b.operator("PADV2", (x, sides, b.constant(np.asarray(value))), (3, 5), dtype)
    (got,) = run_model(b.finish(), [inside])
    assert np.array_equal(got, np.pad(inside, [(1, 0), (0, 2)], constant_values=value))


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8)
@pytest.mark.parametrize("mode", ["REFLECT", "SYMMETRIC"])
def test_mirror_pad(mode: str, dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = tuple(d + 1 for d in draw.shape(1, 4, 4))
    widest = 1 if mode == "REFLECT" else 0
    paddings = [[draw.integer(0, d - widest) for _ in range(2)] for d in shape]
    if draw.integer(0, 1):
        paddings[-1] = [0, 0]
    b = ModelBuilder()
    sides = b.constant(np.array(paddings, np.int32))
    x = b.input(shape, dtype, _scale(dtype))
    result = [d + sum(p) for d, p in zip(shape, paddings, strict=True)]
    b.operator("MIRROR_PAD", (x, sides), result, dtype, _scale(dtype), mode=mode)
    assert_as_tflm(b, [draw.values(dtype, shape)])


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8)
def test_gather(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(1, 4)
    axis = draw.integer(0, len(shape) - 1)
    batch_dims = draw.integer(0, axis)
    chosen = (*shape[:batch_dims], *draw.shape(0, 2, 4))
    if not chosen:
        chosen = (3,)
    indices = draw.random.integers(0, shape[axis], chosen).astype(np.int32)
    b = ModelBuilder()
    x = b.input(shape, dtype, _scale(dtype))
    inputs = [draw.values(dtype, shape)]
    if draw.integer(0, 1):
        i = b.constant(indices)
    else:
        i = b.input(chosen, I32)
        inputs.append(indices)
    result = (*shape[:axis], *chosen[batch_dims:], *shape[axis + 1 :])
    b.operator(
        "GATHER", (x, i), result or (1,), dtype, _scale(dtype),
        axis=axis - draw.one_of(0, len(shape)), batch_dims=batch_dims,
    )  # fmt: skip
    if result:
        assert_as_tflm(b, inputs)


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8)
def test_gather_nd(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(1, 4)
    depth, count = draw.integer(1, len(shape)), draw.shape(1, 2, 4)
    indices = np.stack([draw.random.integers(0, d, count) for d in shape[:depth]], axis=-1).astype(
        np.int32
    )
    b = ModelBuilder()
    x, i = b.input(shape, dtype, _scale(dtype)), b.input(indices.shape, I32)
    b.operator("GATHER_ND", (x, i), (*count, *shape[depth:]), dtype, _scale(dtype))
    assert_as_tflm(b, [draw.values(dtype, shape), indices])


@pytest.mark.parametrize("kind", ["GATHER", "GATHER_ND", "EMBEDDING_LOOKUP"])
def test_indices_outside_count_as_the_ends(kind: str) -> None:
    """TFLM refuses or reads outside; the guards of the runner would notice a write alone."""
    b = ModelBuilder()
    shape = (4,) if kind != "GATHER_ND" else (4, 1)
    if kind == "EMBEDDING_LOOKUP":
        i, x = b.input(shape, I32), b.input((3, 2), scale=0.5)
        b.operator(kind, (i, x), (4, 2), scale=0.5)
    else:
        x, i = b.input((3, 2), scale=0.5), b.input(shape, I32)
        b.operator(kind, (x, i), (4, 2), scale=0.5)
    indices = np.array([-(2**31), -1, 3, 2**31 - 1], np.int32).reshape(shape)
    values = np.arange(6, dtype=np.int8).reshape(3, 2)
    given = [indices, values] if kind == "EMBEDDING_LOOKUP" else [values, indices]
    (got,) = run_model(b.finish(), given)
    assert np.array_equal(got, values[[0, 0, 2, 2]])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("types", [(F32, F32), (I8, I8), (I8, F32)])
def test_embedding_lookup(types: tuple[DType, DType], seed: int) -> None:
    draw = Draw(seed)
    table = draw.values(types[0], draw.shape(2, 4))
    indices = draw.random.integers(0, len(table), draw.integer(1, 6)).astype(np.int32)
    b = ModelBuilder()
    i = b.input(indices.shape, I32)
    scale = draw.scale(0.001, 10.0)
    x = b.constant(table, [scale] if types[0] is I8 else [])
    result = (len(indices), *table.shape[1:])
    b.operator("EMBEDDING_LOOKUP", (i, x), result, types[1], scale if types[1] is I8 else None)
    assert_as_tflm(b, [indices])


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8, I16, I32)
def test_dynamic_update_slice(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(1, 4)
    part = tuple(draw.integer(1, d) for d in shape)
    starts = draw.random.integers(-2, 6, len(shape)).astype(np.int32)
    b = ModelBuilder()
    x, y = b.input(shape, dtype, _scale(dtype)), b.input(part, dtype, _scale(dtype))
    i = b.input(starts.shape, I32)
    b.operator("DYNAMIC_UPDATE_SLICE", (x, y, i), shape, dtype, _scale(dtype))
    assert_as_tflm(b, [draw.values(dtype, shape), draw.values(dtype, part), starts])


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8)
def test_space_and_batches(dtype: DType, seed: int) -> None:
    """To batches and back, with other crops than paddings."""
    draw = Draw(seed)
    image, channels = draw.shape(2, 2, 4) if draw.integer(0, 3) else draw.shape(1, 1), 3
    shape = (draw.integer(1, 2), *image, channels)
    block = [draw.integer(1, 3) for _ in image]
    before = [draw.integer(0, 2) for _ in image]
    after = [-(d + p) % n + draw.one_of(0, n) for d, p, n in zip(image, before, block, strict=True)]
    padded = [d + p + q for d, p, q in zip(image, before, after, strict=True)]
    blocks = [p // n for p, n in zip(padded, block, strict=True)]
    crops = [[draw.integer(0, (p - 1) // 2) for _ in range(2)] for p in padded]
    b = ModelBuilder()
    x, sizes = b.input(shape, dtype, _scale(dtype), 0), b.constant(np.array(block, np.int32))
    margins = b.constant(np.stack([before, after], axis=1).astype(np.int32))
    batched = (shape[0] * int(np.prod(block)), *blocks, channels)
    y = b.operator("SPACE_TO_BATCH_ND", (x, sizes, margins), batched, dtype, _scale(dtype))
    result = (shape[0], *(p - sum(c) for p, c in zip(padded, crops, strict=True)), channels)
    cut = b.constant(np.array(crops, np.int32))
    b.operator("BATCH_TO_SPACE_ND", (y, sizes, cut), result, dtype, _scale(dtype))
    assert_as_tflm(b, [draw.values(dtype, shape)])


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8)
@pytest.mark.parametrize("kind", ["SPACE_TO_DEPTH", "DEPTH_TO_SPACE"])
def test_space_and_depth(kind: str, dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    n, h, w, c, block = (*draw.shape(4, 4, 4), draw.integer(1, 3))
    wide, deep = (n, h * block, w * block, c), (n, h, w, c * block * block)
    shape, result = (wide, deep) if kind == "SPACE_TO_DEPTH" else (deep, wide)
    b = ModelBuilder()
    x = b.input(shape, dtype, _scale(dtype))
    b.operator(kind, (x,), result, dtype, _scale(dtype), block_size=block)
    assert_as_tflm(b, [draw.values(dtype, shape)])


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8, I16)
def test_select(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    result = draw.shape(1, 5, 4)
    while True:
        shapes = [[d if draw.integer(0, 2) else 1 for d in result] for _ in range(3)]
        if tuple(np.max(shapes, axis=0)) == result:
            break
    if draw.integer(0, 1):
        shapes = [list(result)] * 3
    b = ModelBuilder()
    c = b.input(shapes[0], BOOL)
    x, y = (b.input(s, dtype, _scale(dtype)) for s in shapes[1:])
    b.operator("SELECT_V2", (c, x, y), result, dtype, _scale(dtype))
    values = [draw.values(dtype, s) for s in shapes[1:]]
    assert_as_tflm(b, [draw.values(BOOL, shapes[0]), *values])


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8, I32)
def test_broadcast_to(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(1, 5)
    lead, ones = draw.integer(0, len(shape) - 1), draw.random.random(len(shape)) < 0.5
    narrow = tuple(1 if one else d for d, one in zip(shape, ones, strict=True))[lead:]
    b = ModelBuilder()
    x = b.input(narrow, dtype, _scale(dtype))
    size = b.constant(np.array(shape, np.int32))
    b.operator("BROADCAST_TO", (x, size), shape, dtype, _scale(dtype))
    assert_as_tflm(b, [draw.values(dtype, narrow)])


@pytest.mark.parametrize("seed", SEEDS)
@_each(F32, I8, I32)
def test_fill_and_zeros(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    shape = draw.shape(1, 4)
    b = ModelBuilder()
    x = b.input((), dtype, _scale(dtype))
    size = b.constant(np.array(shape, np.int32))
    b.operator("FILL", (size, x), shape, dtype, _scale(dtype))
    assert_as_tflm(b, [draw.values(dtype, ())])

    b = ModelBuilder()
    z = b.input(shape, dtype, _scale(dtype))
    b.operator("ZEROS_LIKE", (z,), shape, dtype, _scale(dtype))
    assert_as_tflm(b, [draw.values(dtype, shape)])


@pytest.mark.parametrize("seed", SEEDS)
def test_shapes_as_values(seed: int) -> None:
    draw = Draw(seed)
    whole = np.array(draw.shape(1, 5), np.int32)
    a = np.where(draw.random.random(whole.shape) < 0.4, 1, whole).astype(np.int32)
    c = np.where(a == 1, whole, 1).astype(np.int32)[draw.integer(0, len(whole) - 1) :]
    b = ModelBuilder()
    x, y = b.input(a.shape, I32), b.input(c.shape, I32)
    b.operator("BROADCAST_ARGS", (x, y), whole.shape, I32)
    assert_as_tflm(b, [a, c])

    b = ModelBuilder()
    z = b.input(tuple(whole), F32)
    b.operator("SHAPE", (z,), whole.shape, I32, out_type="int32")
    assert_as_tflm(b, [draw.values(F32, tuple(whole))])


@pytest.mark.parametrize("seed", range(30))
@_each(F32, I8, I16)
def test_resize_nearest(dtype: DType, seed: int) -> None:
    draw = Draw(seed)
    n, h, w, c = draw.shape(4, 4, 9)
    size = (draw.integer(1, 12), draw.integer(1, 12))
    option = {k: bool(draw.integer(0, 1)) for k in ("align_corners", "half_pixel_centers")}
    b = ModelBuilder()
    x = b.input((n, h, w, c), dtype, _scale(dtype))
    sides = b.constant(np.array(size, np.int32))
    b.operator("RESIZE_NEAREST_NEIGHBOR", (x, sides), (n, *size, c), dtype, _scale(dtype), **option)
    assert_as_tflm(b, [draw.values(dtype, (n, h, w, c))])
