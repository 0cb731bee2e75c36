"""Whatever the intermediate representation can hold survives being written and read.

Models are drawn over every operator kind of the schema, with random options, shapes,
types, quantisation, constants, names, graphs and metadata. They need not make sense:
`read` judges bytes and indices, not meaning.
"""

from __future__ import annotations

import math

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcucomp.ir import DType, Graph, Model, Operator, OptionValue, Quantization, Tensor
from mcucomp.ir.verify import constant_bytes
from mcucomp.tflite import load, read, write
from mcucomp.tflite.options import CUSTOM, CUSTOM_OPTIONS, enumerators, kinds, options_table
from mcucomp.tflite.schema import Field, FieldKind, table
from tests.support.models import model_of
from tests.support.shared import shared_models

MAX_CONSTANT_BYTES = 300

names = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
float32s = st.floats(width=32, allow_nan=False)


def scalars(numpy_type: str) -> st.SearchStrategy[int] | st.SearchStrategy[float]:
    if numpy_type == "bool":
        return st.booleans()
    if numpy_type == "float32":
        return float32s
    limits = np.iinfo(numpy_type)
    return st.integers(int(limits.min), int(limits.max))


def option(table_name: str, field: Field) -> st.SearchStrategy[OptionValue]:
    known = enumerators(table_name, field)
    if known is not None:
        return st.sampled_from(sorted(known.values()))
    if field.kind is FieldKind.STRING:
        return names
    if field.kind is FieldKind.SCALAR:
        return scalars(field.numpy_type)
    if field.kind is FieldKind.TABLES:
        return st.none()
    if field.numpy_type == "uint8":
        return st.binary(max_size=5)
    return st.lists(scalars(field.numpy_type), max_size=4).map(tuple)


@st.composite
def tensors(draw: st.DrawFn, index: int) -> Tensor:
    dtype = draw(st.sampled_from(DType))
    shape = tuple(draw(st.lists(st.integers(1, 5), max_size=4)))
    quantization = None
    if draw(st.booleans()):
        scales = draw(st.lists(float32s, min_size=1, max_size=3))
        points = draw(st.lists(scalars("int64"), min_size=1, max_size=3))
        quantization = Quantization(tuple(scales), tuple(points), draw(scalars("int32")))
    data = None
    size = constant_bytes(dtype, shape)
    if size is not None and size <= MAX_CONSTANT_BYTES and draw(st.booleans()):
        data = draw(st.binary(min_size=size, max_size=size))
    return Tensor(index, draw(names), dtype, shape, quantization, data, draw(st.booleans()))


@st.composite
def operators(draw: st.DrawFn, index: int, tensor_count: int) -> Operator:
    kind = draw(st.sampled_from(sorted(kinds().values())))
    if kind == CUSTOM:
        options: dict[str, OptionValue] = {CUSTOM_OPTIONS: draw(st.binary(max_size=9))}
    else:
        name = options_table(kind)
        fields = table(name).fields.values() if name else ()
        options = {field.name: draw(option(name or "", field)) for field in fields}
    return Operator(
        index=index,
        kind=kind,
        inputs=tuple(draw(st.lists(st.integers(-1, tensor_count - 1), max_size=4))),
        outputs=tuple(draw(st.lists(st.integers(0, tensor_count - 1), max_size=3))),
        options=options,
        version=draw(st.integers(1, 9)),
        custom_code=draw(names) if kind == CUSTOM else "",
    )


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(1, 6))
    indices = st.lists(st.integers(0, count - 1), max_size=3).map(tuple)
    operator_count = draw(st.integers(0, 4))
    return Graph(
        draw(names),
        tuple(draw(tensors(i)) for i in range(count)),
        tuple(draw(operators(i, count)) for i in range(operator_count)),
        draw(indices),
        draw(indices),
    )


@st.composite
def models(draw: st.DrawFn) -> Model:
    metadata = draw(st.dictionaries(names, st.binary(max_size=20), max_size=2))
    drawn = draw(st.lists(graphs(), min_size=1, max_size=3))
    return model_of(*drawn, source="drawn.tflite", metadata=metadata)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(models())
def test_what_is_written_is_read(model: Model) -> None:
    data = write(model)
    found = read(data, model.source)
    assert found == model
    assert write(found) == data


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(kinds().values())), st.data())
def test_options_of_every_kind_are_read(kind: str, data: st.DataObject) -> None:
    name = options_table(kind)
    if name is None:
        return
    options = {f.name: data.draw(option(name, f)) for f in table(name).fields.values()}
    operator = Operator(0, kind, (), (), options)
    model = model_of(Graph("g", (), (operator,), (), ()))
    assert read(write(model), model.source).graphs[0].operators[0].options == options


def test_shared_models_survive() -> None:
    for path in shared_models():
        model = load(path)
        again = read(write(model), path.name)
        assert again.graphs == model.graphs
        assert (again.description, again.metadata) == (model.description, model.metadata)


def test_scales_stay_exact() -> None:
    scale = float(np.float32(0.1))
    assert math.frexp(scale)[0] * 2**24 % 1 == 0
    tensor = Tensor(0, "t", DType.INT8, (1,), Quantization((scale,), (0,)))
    model = model_of(Graph("g", (tensor,), (), (), ()))
    found = read(write(model), "m").graphs[0].tensors[0].quantization
    assert found is not None
    assert found.scales[0] == scale
