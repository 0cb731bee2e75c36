"""The digits example: its derivatives, its quantisation, and what is said about its model."""

from __future__ import annotations

import hashlib
import importlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from mcucomp import tflite
from mcucomp.ir import Graph, Quantization, Tensor

EXAMPLE = Path(__file__).parents[3] / "examples" / "digits"
MODULES = ("data", "network", "quantise", "evaluate", "train", "demo")
MODEL = EXAMPLE / "digits.tflite"

Load = Callable[[str], ModuleType]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Load:
    """Imports a module of the example as its scripts do, and forgets it afterwards."""
    pytest.importorskip("scipy", reason="skipped: no scipy (extra `examples`)")
    pytest.importorskip("threadpoolctl", reason="skipped: no threadpoolctl (extra `examples`)")
    monkeypatch.syspath_prepend(str(EXAMPLE))
    for name in MODULES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    loaded: list[str] = []

    def import_one(name: str) -> ModuleType:
        module = importlib.import_module(name)
        loaded.append(name)
        return module

    yield import_one  # type: ignore[misc]
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.fixture
def _digits() -> None:
    pytest.importorskip("sklearn", reason="skipped: no scikit-learn (extra `examples`)")


@pytest.fixture
def _tflm() -> None:
    pytest.importorskip("tflite_micro", reason="skipped: no tflite-micro (extra `reference`)")


@pytest.fixture(scope="module")
def stated() -> dict[str, object]:
    return json.loads((EXAMPLE / "digits.json").read_text())


@pytest.fixture(scope="module")
def graph() -> Graph:
    (graph,) = tflite.load(MODEL).graphs
    return graph


def _scale(tensor: Tensor) -> float:
    assert tensor.quantization is not None
    (scale,) = tensor.quantization.scales
    return scale


# What is stated


def test_model_is_the_one_that_is_stated(stated: dict[str, object]) -> None:
    model = MODEL.read_bytes()
    assert len(model) == stated["model_bytes"]
    assert len(model) < 60_000
    assert hashlib.sha256(model).hexdigest() == stated["sha256"]


def test_readme_states_the_same(stated: dict[str, object]) -> None:
    readme = (EXAMPLE / "README.md").read_text()
    total = stated["test_images"]
    assert f"`{stated['sha256']}`" in readme
    assert f"The model is {stated['model_bytes']:,} bytes." in readme
    assert f"| held-out digits, right of {total} |" in readme
    for name, key in (
        ("float32 (numpy)", "correct_float"),
        ("int8 (TensorFlow Lite Micro)", "correct_int8"),
    ):
        assert f"| {name} | {stated[key]} | {stated[key] / total:.2%} |" in readme
    assert f"on the other {stated['train_images']};" in readme


@pytest.mark.usefixtures("_digits", "_tflm")
def test_tflm_gets_as_many_right_as_stated(load: Load, stated: dict[str, object]) -> None:
    _, test = load("data").load()
    assert len(test.labels) == stated["test_images"]
    assert load("evaluate").correct(MODEL.read_bytes(), test) == stated["correct_int8"]
    assert stated["correct_int8"] >= 0.985 * len(test.labels)


@pytest.mark.usefixtures("_digits", "_tflm")
def test_evaluate_prints_what_is_stated(stated: dict[str, object]) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLE / "evaluate.py")], capture_output=True, text=True, check=True
    )
    right, total = stated["correct_int8"], stated["test_images"]
    assert done.stdout == (
        f"digits.tflite, int8 in TFLM: {right} of {total} held-out digits ({right / total:.2%})\n"
    )


def test_training_into_no_folder_is_refused_at_once(load: Load, tmp_path: Path) -> None:
    load("train")  # skips where its packages are not installed
    output = tmp_path / "absent" / "my.tflite"
    done = subprocess.run(
        [sys.executable, str(EXAMPLE / "train.py"), str(output)], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr == f"{output.parent}: there is no such folder\n"
    assert list(tmp_path.iterdir()) == []


# The model


def test_model_has_one_residual_branch(graph: Graph) -> None:
    kinds = [operator.kind for operator in graph.operators]
    assert kinds == [
        "CONV_2D",
        "DEPTHWISE_CONV_2D",
        "CONV_2D",
        "ADD",
        "CONV_2D",
        "AVERAGE_POOL_2D",
        "RESHAPE",
        "FULLY_CONNECTED",
        "SOFTMAX",
    ]
    stem, _, pointwise, add = graph.operators[:4]
    assert add.inputs == stem.outputs + pointwise.outputs


def test_add_has_to_rescale(graph: Graph) -> None:
    add = graph.operators[3]
    scales = [_scale(graph.tensors[i]) for i in (*add.inputs, *add.outputs)]
    ratios = [a / b for a in scales for b in scales if a > b]
    assert len(ratios) == 3
    assert min(ratios) > 1.5


def test_biases_have_the_scale_of_input_times_weights(graph: Graph) -> None:
    layers = [operator for operator in graph.operators if len(operator.inputs) == 3]
    assert len(layers) == 5
    for layer in layers:
        source, weights, biases = (graph.tensors[i] for i in layer.inputs)
        assert weights.quantization is not None
        assert biases.quantization is not None
        expected = np.float64(_scale(source)) * np.array(weights.quantization.scales)
        assert biases.quantization.scales == tuple(expected.astype(np.float32).tolist())


# The parts


@pytest.mark.usefixtures("_digits")
def test_split_is_stratified_and_loses_nothing(load: Load) -> None:
    train, test = load("data").load()
    assert (len(train.labels), len(test.labels)) == (1347, 450)
    shares = np.bincount(test.labels) / np.bincount(np.concatenate([train.labels, test.labels]))
    assert shares.min() > 0.24
    assert shares.max() < 0.26
    assert train.images.shape[1:] == (8, 8, 1)
    assert (train.images.min(), train.images.max()) == (0, 1)


def test_every_pixel_value_is_stored_exactly(load: Load) -> None:
    data = load("data")
    values = np.arange(17, dtype=np.float32) / 16
    stored = data.as_input(values, data.INPUT_QUANTIZATION)
    assert stored.tolist() == [15 * p - 128 for p in range(17)]


def test_values_out_of_range_are_clipped(load: Load) -> None:
    stored = load("data").as_input(np.float32([-9, 0.5, 9]), Quantization((0.01,), (3,)))
    assert stored.tolist() == [-128, 53, 127]


def test_derivatives_agree_with_differences(load: Load) -> None:
    network_module = load("network")
    rng = np.random.default_rng(5)
    network = network_module.Network(rng)
    for layer in network.layers:
        layer.weights, layer.biases = layer.weights.astype(float), layer.biases.astype(float) + 0.05
        layer.d_weights = np.zeros_like(layer.weights)
    images, direction = rng.random((3, 8, 8, 1)), rng.standard_normal((3, 10))

    def loss() -> float:
        return float((network.forward(images)["logits"] * direction).sum())

    network.backward(network.forward(images), direction)
    step = 1e-6
    for layer in network.layers:
        for values, derivative in (
            (layer.weights, layer.d_weights),
            (layer.biases, layer.d_biases),
        ):
            # Where the derivative is largest: one of zero would agree with a broken pass.
            at = np.unravel_index(np.abs(derivative).argmax(), values.shape)
            kept = values[at]
            values[at] = kept + step
            above = loss()
            values[at] = kept - step
            below = loss()
            values[at] = kept
            assert (above - below) / (2 * step) == pytest.approx(derivative[at], rel=1e-4)


@pytest.mark.usefixtures("_digits")
def test_training_is_repeatable_and_learns(load: Load) -> None:
    train, _ = load("data").load()
    network_module = load("network")
    first, second = (network_module.train(train, seed=3, epochs=2) for _ in range(2))
    for a, b in zip(first.layers, second.layers, strict=True):
        assert a.weights.tobytes() == b.weights.tobytes()
    assert (first.classify(train.images) == train.labels).mean() > 0.5


@pytest.mark.parametrize("axis", [0, 3, None])
def test_weights_are_within_half_a_step(load: Load, axis: int | None) -> None:
    weights = np.random.default_rng(1).standard_normal((4, 3, 3, 5)).astype(np.float32)
    stored, quantization = load("quantise").quantise_weights(weights, axis)
    count = 1 if axis is None else weights.shape[axis]
    assert len(quantization.scales) == len(quantization.zero_points) == count
    shape = [count if i == axis else 1 for i in range(4)]
    scales = np.array(quantization.scales).reshape(shape)
    assert np.abs(stored).max() == 127
    assert (np.abs(stored * scales - weights) <= scales * 0.5001).all()


def test_activation_codes_hold_zero_exactly(load: Load) -> None:
    codes = load("quantise").activation_quantization
    assert codes(np.float32([0.5, 2])) == Quantization((float(np.float32(2 / 255)),), (-128,))
    assert codes(np.float32([-1, 1.55])) == Quantization((float(np.float32(0.01)),), (-28,))


# The demonstration


@pytest.mark.usefixtures("_digits")
def test_demo_inputs_are_held_out_digits(load: Load) -> None:
    data, demo = load("data"), load("demo")
    _, test = data.load()
    inputs, labels = demo.demo_inputs(3)
    assert labels == test.labels[:3].tolist()
    for given, image in zip(inputs, test.images[:3], strict=True):
        stored = np.frombuffer(given, np.int8).reshape(8, 8, 1)
        assert ((stored.astype(int) + 128) / 240 == image).all()
    assert (demo.demo_images(3) == test.images[:3]).all()


@pytest.mark.usefixtures("_digits")
@pytest.mark.parametrize("count", [0, 451])
def test_demo_has_as_many_digits_as_were_held_out(load: Load, count: int) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is below
        load("demo").demo_inputs(count)
    assert str(caught.value) == f"count is {count}; 1 to 450 digits were held out"


def test_pictures(load: Load) -> None:
    demo = load("demo")
    image = np.zeros((8, 8, 1), np.float32)
    image[0, :5, 0] = [1, 0.75, 0.5, 0.25, 0]
    image[7, 7] = 1
    expected = ["@@%%++..".ljust(16), *[" " * 16] * 6, "@@".rjust(16)]
    assert demo.picture(image, demo.ASCII) == expected
    assert demo.picture(image)[0] == "██▓▓▒▒░░" + " " * 8
    rows = demo.side_by_side([demo.picture(image, demo.ASCII)] * 2)
    assert rows[0] == "@@%%++..".ljust(18) + "@@%%++.."


def test_pictures_are_blocks_where_they_can_be(load: Load) -> None:
    demo = load("demo")
    assert demo.shades_for("utf-8") == demo.BLOCKS
    for encoding in ("ascii", "latin-1", None, "no such encoding"):
        assert demo.shades_for(encoding) == demo.ASCII


def test_answer_is_the_most_likely_digit(load: Load) -> None:
    demo = load("demo")
    codes = np.int8([-128, -128, -120, 100, -128, -128, -128, -128, -128, -100])
    assert demo.answer(codes.tobytes()) == (3, 228 / 256)
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is below
        demo.answer(b"123")
    assert str(caught.value) == "the output has 3 bytes; a digit's has 10"
