"""What is dropped because of the values that tensors can hold, and what has to stay."""

from __future__ import annotations

import numpy as np

from mcucomp.ir import DType, Graph
from mcucomp.rewrite import drop_by_values, rewrite
from mcucomp.rules import Rules
from mcucomp.tflite import read
from mcucomp.values import analyse
from tests.support.kernel_runner import run_graph
from tests.support.models import ModelBuilder
from tests.support.shared import shared_model

STRIDES = {"stride_w": 1, "stride_h": 1}


def kinds(graph: Graph) -> list[str]:
    return [operator.kind for operator in graph.operators]


def same_results(graph: Graph, narrow: Graph) -> bool:
    random, results = np.random.default_rng(3), []
    for _ in range(4):
        inputs = [
            random.integers(-128, 128, graph.tensors[i].shape, dtype=np.int8) for i in graph.inputs
        ]
        before, after = run_graph(graph, inputs), run_graph(narrow, inputs)
        results += [(before[i] == after[i]).all() for i in graph.outputs]
    return all(results)


def pinned(b: ModelBuilder, source: int, channels: int, values: dict[int, int]) -> int:
    """A 1x1 layer of 8 outputs, some of which hold the given value, whatever the input."""
    random = np.random.default_rng(5)
    weights = random.integers(-90, 91, (8, 1, 1, channels), dtype=np.int8)
    bias = random.integers(-300, 300, 8).astype(np.int32)
    for channel, value in values.items():
        weights[channel] = 0
        bias[channel] = round(value / 0.05)
    w, v = b.constant(weights, (0.01,) * 8), b.constant(bias, (0.005,) * 8)
    return b.operator("CONV_2D", (source, w, v), (1, 6, 6, 8), scale=0.1, padding="SAME", **STRIDES)


def reader(b: ModelBuilder, source: int, padding: str) -> int:
    random = np.random.default_rng(6)
    w = b.constant(random.integers(-90, 91, (3, 3, 3, 8), dtype=np.int8), (0.01,) * 3)
    v = b.constant(random.integers(-300, 300, 3).astype(np.int32), (0.001,) * 3)
    size = 6 if padding == "SAME" else 4
    return b.operator(
        "CONV_2D", (source, w, v), (1, size, size, 3), scale=0.4, padding=padding, **STRIDES
    )


def test_a_constant_beside_a_border_stays_unless_it_is_the_zero_point() -> None:
    for padding, left in (("VALID", 5), ("SAME", 7)):
        b = ModelBuilder()
        x = b.input((1, 6, 6, 2), scale=0.5)
        made = pinned(b, x, 2, {1: 0, 4: 50, 6: -30})
        reader(b, made, padding)
        graph = b.finish().graphs[0]
        assert analyse(graph).constant_channels(made).sum() == 3
        narrow = drop_by_values(graph, 1)
        assert narrow.tensors[made].shape == (1, 6, 6, left), padding
        assert same_results(graph, narrow)


def test_counts_are_rounded_up_to_whole_blocks() -> None:
    b = ModelBuilder()
    x = b.input((1, 6, 6, 2), scale=0.5)
    made = pinned(b, x, 2, {0: 0, 2: 11, 3: -9})
    reader(b, made, "VALID")
    graph = b.finish().graphs[0]
    assert drop_by_values(graph, 1).tensors[made].shape[-1] == 5
    assert drop_by_values(graph, 4).tensors[made].shape[-1] == 8
    b = ModelBuilder()
    x = b.input((1, 6, 6, 2), scale=0.5)
    made = pinned(b, x, 2, {0: 0, 2: 11, 3: -9, 6: 1, 7: 2})
    reader(b, made, "VALID")
    narrow = drop_by_values(graph := b.finish().graphs[0], 4)
    assert narrow.tensors[made].shape[-1] == 4
    assert [t.index for t in narrow.tensors if t.is_changed and not t.is_constant] == [made]
    assert same_results(graph, narrow)


def test_a_depthwise_filter_goes_with_its_input_and_a_bias_appears() -> None:
    b = ModelBuilder()
    x = b.input((1, 6, 6, 2), scale=0.5)
    made = pinned(b, x, 2, {1: 20, 5: -60})
    w = b.constant(np.full((1, 1, 1, 16), 60, np.int8), (0.02,))
    wide = b.operator(
        "DEPTHWISE_CONV_2D", (made, w, -1), (1, 6, 6, 16), scale=0.2, padding="VALID",
        depth_multiplier=2, **STRIDES,
    )  # fmt: skip
    w = b.constant(np.arange(-40, -24, dtype=np.int8).reshape(1, 1, 1, 16), (0.02,))
    b.operator("CONV_2D", (wide, w), (1, 6, 6, 1), scale=0.9, padding="VALID", **STRIDES)
    graph = b.finish().graphs[0]
    narrow = drop_by_values(graph, 1)
    assert narrow.tensors[made].shape[-1] == 6
    assert narrow.tensors[wide].shape[-1] == 12
    assert narrow.operators[1].options["depth_multiplier"] == 2
    assert len(narrow.operators[2].inputs) == 3
    assert narrow.tensors[narrow.operators[2].inputs[2]].dtype is DType.INT32
    assert same_results(graph, narrow)


def test_sums_keep_both_sides_of_a_channel_that_changes() -> None:
    b = ModelBuilder()
    x = b.input((1, 6, 6, 2), scale=0.5)
    sides = [pinned(b, x, 2, {1: 20, 5: -60}), pinned(b, x, 2, {1: 3, 2: 4})]
    total = b.operator("ADD", sides, (1, 6, 6, 8), scale=0.2)
    reader(b, total, "VALID")
    graph = b.finish().graphs[0]
    narrow = drop_by_values(graph, 1)
    assert [narrow.tensors[i].shape[-1] for i in (*sides, total)] == [7, 7, 7]
    assert same_results(graph, narrow)


def test_a_sum_with_what_is_known_reads_a_constant() -> None:
    b = ModelBuilder()
    x = b.input((1, 6, 6, 2), scale=0.5)
    known = pinned(b, x, 2, {c: 3 * c for c in range(8)})
    other = pinned(b, x, 2, {})
    total = b.operator("ADD", (other, known), (1, 6, 6, 8), scale=0.2)
    graph = b.finish((total,)).graphs[0]
    narrow = drop_by_values(graph)
    assert kinds(narrow) == ["CONV_2D", "ADD"]
    constant = narrow.tensors[narrow.operators[1].inputs[1]]
    assert np.frombuffer(constant.data or b"", np.int8).tolist() == [3 * c for c in range(8)]
    assert constant.shape == (1, 1, 1, 8)
    assert same_results(graph, narrow)


def test_what_changes_nothing_goes() -> None:
    b = ModelBuilder()
    x = b.input((1, 4, 4, 2), scale=0.5, zero_point=3)
    shape = {"scale": 0.5, "zero_point": 3}
    y = b.operator("RELU", (x,), (1, 4, 4, 2), **shape)
    y = b.operator("RELU", (y,), (1, 4, 4, 2), **shape)
    paddings = b.constant(np.zeros((4, 2), np.int32))
    y = b.operator("PAD", (y, paddings), (1, 4, 4, 2), **shape)
    floor = b.constant(np.full((1, 1, 1, 1), 3, np.int8), (0.5,), (3,))
    y = b.operator("MAXIMUM", (y, floor), (1, 4, 4, 2), **shape)
    y = b.operator("CONCATENATION", (y,), (1, 4, 4, 2), axis=3, **shape)
    graph = b.finish().graphs[0]
    assert kinds(drop_by_values(graph)) == ["RELU"]
    assert same_results(graph, drop_by_values(graph))


def test_a_clamp_that_never_clamps_goes_and_another_stays() -> None:
    for bias, activation in ((9_000, "NONE"), (0, "RELU")):
        b = ModelBuilder()
        x = b.input((1, 1, 1, 4), scale=0.5)
        w = b.constant(np.ones((1, 1, 1, 4), np.int8), (0.01,))
        v = b.constant(np.array([bias], np.int32), (0.005,))
        b.operator(
            "CONV_2D", (x, w, v), (1, 1, 1, 1), scale=1.0, zero_point=-20, padding="VALID",
            fused_activation_function="RELU", **STRIDES,
        )  # fmt: skip
        graph = b.finish().graphs[0]
        narrow = drop_by_values(graph)
        assert narrow.operators[0].options["fused_activation_function"] == activation
        assert same_results(graph, narrow)


def test_an_activation_that_is_no_clamp_is_left_alone() -> None:
    """An LSTM says that its activation is TANH."""
    graph = read(shared_model("tflm-mnist-lstm-int8").read_bytes(), "lstm.tflite").graphs[0]
    assert graph.operators[0].options["fused_activation_function"] == "TANH"
    assert drop_by_values(graph) == graph


def test_a_layer_of_a_constant_is_left_alone() -> None:
    """A damaged file had one; its own filter served as its input, too."""
    b = ModelBuilder()
    x = b.input((1, 6, 6, 2), scale=0.5)
    made = pinned(b, x, 2, {1: 0, 4: 50})
    still = b.constant(np.full((1, 6, 6, 2), 3, np.int8), (0.5,))
    known = pinned(b, still, 2, {})
    b.operator("ADD", (made, known), (1, 6, 6, 8), scale=0.2)
    graph = b.finish().graphs[0]
    narrow = drop_by_values(graph, 1)
    assert narrow.tensors[still].shape == (1, 6, 6, 2)
    assert same_results(graph, narrow)


def test_the_interface_stays_whatever_is_known() -> None:
    b = ModelBuilder()
    x = b.input((1, 6, 6, 2), scale=0.5)
    made = pinned(b, x, 2, {c: c for c in range(8)})
    model = b.finish((made,))
    narrow = rewrite(model, Rules(values=True)).graphs[0]
    for index in (*narrow.inputs, *narrow.outputs):
        assert narrow.tensors[index] == model.graphs[0].tensors[index]
    assert same_results(model.graphs[0], narrow)
    assert rewrite(model, Rules(rewrites=True)).graphs == model.graphs


def test_an_operator_that_is_not_followed_keeps_all_channels() -> None:
    b = ModelBuilder()
    x = b.input((1, 6, 6, 2), scale=0.5)
    made = pinned(b, x, 2, {1: 20, 5: -60})
    b.operator("SOFTMAX", (made,), (1, 6, 6, 8), scale=1 / 256, zero_point=-128, beta=1.0)
    graph = b.finish().graphs[0]
    assert drop_by_values(graph).tensors[made].shape == (1, 6, 6, 8)
