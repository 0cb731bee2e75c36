"""What is the network, and how is it trained?

In: images (n, 8, 8, 1) and labels. Out: a `Network` with float32 weights. Each
layer knows its own derivative; the network knows how they are joined:

    image 8x8x1 - stem 3x3, ReLU -+- depthwise 3x3, ReLU - pointwise 1x1 -+- ADD, ReLU
                                  `---------------------------------------'     |
          probabilities - softmax - classifier - average pool 2x2 - down 3x3 stride 2, ReLU

Weights are kept in TFLite's layouts: convolution (out, height, width, in),
depthwise (1, height, width, channel), classifier (out, in).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from data import CLASSES, IMAGE_SIZE, Digits, Images, Labels
from scipy.ndimage import map_coordinates  # type: ignore[import-untyped]

Array = npt.NDArray[np.float32]

STEM_CHANNELS = 16
DOWN_CHANNELS = 32
POOL = 2
SHARP_SHARE = 0.3
FEATURES = DOWN_CHANNELS * (IMAGE_SIZE // 2 // POOL) ** 2


class Layer:
    """Weights and biases, their derivatives, and what the last forward pass saw."""

    def __init__(self, rng: np.random.Generator, shape: tuple[int, ...], fan_in: int, outputs: int):
        # He et al. 2015: keeps the variance of what passes through ReLUs.
        deviation = np.sqrt(2 / fan_in)
        self.weights: Array = (rng.standard_normal(shape) * deviation).astype(np.float32)
        self.biases: Array = np.zeros(outputs, np.float32)
        self.d_weights: Array = np.zeros_like(self.weights)
        self.d_biases: Array = np.zeros_like(self.biases)

    def forward(self, x: Array) -> Array:
        raise NotImplementedError

    def backward(self, d_y: Array) -> Array:
        """The derivative by the input of the last `forward`; sets those by the weights."""
        raise NotImplementedError


class Windowed(Layer):
    """A layer that slides a square window over its input, with TFLite's SAME padding.

    The window is walked tap by tap: for each of its places, all the input pixels
    that are under it are one strided view.
    """

    size: int
    stride: int

    def _pad(self, x: Array) -> Array:
        outputs = -(-x.shape[1] // self.stride)
        total = max(0, (outputs - 1) * self.stride + self.size - x.shape[1])
        self._before, self._inputs = total // 2, x.shape[1]
        # Where the total is odd, the extra pixel goes after.
        edge = (self._before, total - self._before)
        return np.pad(x, ((0, 0), edge, edge, (0, 0)))

    def _crop(self, padded: Array) -> Array:
        inside = slice(self._before, self._before + self._inputs)
        return padded[:, inside, inside]

    def _taps(self, padded: Array) -> Iterator[tuple[int, int, Array]]:
        """(row, column, view of (n, out_height, out_width, channels)) for each tap."""
        last = padded.shape[1] - self.size + 1
        for row in range(self.size):
            for column in range(self.size):
                rows = slice(row, row + last, self.stride)
                columns = slice(column, column + last, self.stride)
                yield row, column, padded[:, rows, columns]


class Conv(Windowed):
    """CONV_2D with SAME padding."""

    def __init__(
        self, rng: np.random.Generator, inputs: int, outputs: int, size: int, stride: int = 1
    ):
        super().__init__(rng, (outputs, size, size, inputs), size * size * inputs, outputs)
        self.size, self.stride = size, stride

    def forward(self, x: Array) -> Array:
        self._padded = self._pad(x)
        y = self.biases
        for row, column, view in self._taps(self._padded):
            # Flat matrices make one large product; numpy would loop over a 4-D one.
            part = view.reshape(-1, view.shape[3]) @ self.weights[:, row, column].T
            y = y + part.reshape(*view.shape[:3], -1)
        return y

    def backward(self, d_y: Array) -> Array:
        flat = d_y.reshape(-1, d_y.shape[3])
        self.d_biases = flat.sum(axis=0)
        d_padded = np.zeros_like(self._padded)
        taps = zip(self._taps(self._padded), self._taps(d_padded), strict=True)
        for (row, column, view), (_, _, d_view) in taps:
            self.d_weights[:, row, column] = flat.T @ view.reshape(-1, view.shape[3])
            d_view += (flat @ self.weights[:, row, column]).reshape(view.shape)
        return self._crop(d_padded)


class Depthwise(Windowed):
    """DEPTHWISE_CONV_2D with SAME padding, stride 1 and depth multiplier 1."""

    def __init__(self, rng: np.random.Generator, channels: int, size: int):
        super().__init__(rng, (1, size, size, channels), size * size, channels)
        self.size, self.stride = size, 1

    def forward(self, x: Array) -> Array:
        self._padded = self._pad(x)
        y = np.zeros_like(x) + self.biases
        for row, column, view in self._taps(self._padded):
            y += view * self.weights[0, row, column]
        return y

    def backward(self, d_y: Array) -> Array:
        self.d_biases = d_y.sum(axis=(0, 1, 2))
        d_padded = np.zeros_like(self._padded)
        taps = zip(self._taps(self._padded), self._taps(d_padded), strict=True)
        for (row, column, view), (_, _, d_view) in taps:
            self.d_weights[0, row, column] = (d_y * view).sum(axis=(0, 1, 2))
            d_view += d_y * self.weights[0, row, column]
        return self._crop(d_padded)


class Dense(Layer):
    """FULLY_CONNECTED."""

    def __init__(self, rng: np.random.Generator, inputs: int, outputs: int):
        super().__init__(rng, (outputs, inputs), inputs, outputs)

    def forward(self, x: Array) -> Array:
        self._x = x
        return x @ self.weights.T + self.biases

    def backward(self, d_y: Array) -> Array:
        self.d_weights, self.d_biases = d_y.T @ self._x, d_y.sum(axis=0)
        return d_y @ self.weights


def relu(x: Array) -> Array:
    return np.maximum(x, 0)


def softmax(logits: Array) -> Array:
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    quotients: Array = e / e.sum(axis=1, keepdims=True)
    return quotients


class Network:
    """The layers, and how they are joined."""

    def __init__(self, rng: np.random.Generator):
        self.stem = Conv(rng, 1, STEM_CHANNELS, size=3)
        self.depthwise = Depthwise(rng, STEM_CHANNELS, size=3)
        self.pointwise = Conv(rng, STEM_CHANNELS, STEM_CHANNELS, size=1)
        self.down = Conv(rng, STEM_CHANNELS, DOWN_CHANNELS, size=3, stride=2)
        self.classifier = Dense(rng, FEATURES, CLASSES)

    @property
    def layers(self) -> tuple[Layer, ...]:
        return (self.stem, self.depthwise, self.pointwise, self.down, self.classifier)

    def forward(self, images: Images) -> dict[str, Array]:
        """Every activation by name, after its ReLU where it has one."""
        stem = relu(self.stem.forward(images))
        depthwise = relu(self.depthwise.forward(stem))
        pointwise = self.pointwise.forward(depthwise)
        total = relu(stem + pointwise)
        down = relu(self.down.forward(total))
        n, side, _, channels = down.shape
        pool = down.reshape(n, side // POOL, POOL, side // POOL, POOL, channels).mean(axis=(2, 4))
        logits = self.classifier.forward(pool.reshape(n, FEATURES))
        return {
            "stem": stem,
            "depthwise": depthwise,
            "pointwise": pointwise,
            "sum": total,
            "down": down,
            "pool": pool,
            "logits": logits,
        }

    def backward(self, seen: dict[str, Array], d_logits: Array) -> None:
        """Set the derivatives of all layers, from `forward`'s answer and d loss / d logits."""
        d_pool = self.classifier.backward(d_logits).reshape(seen["pool"].shape)
        d_down = d_pool.repeat(POOL, axis=1).repeat(POOL, axis=2) / np.float32(POOL**2)
        d_sum = self.down.backward(d_down * (seen["down"] > 0)) * (seen["sum"] > 0)
        d_depthwise = self.pointwise.backward(d_sum) * (seen["depthwise"] > 0)
        # The sum's derivative reaches the stem twice: past the branch, and through it.
        d_stem = d_sum + self.depthwise.backward(d_depthwise)
        self.stem.backward(d_stem * (seen["stem"] > 0))

    def classify(self, images: Images) -> Labels:
        """The digit that the network sees in each image."""
        digits: Labels = self.forward(images)["logits"].argmax(axis=1)
        return digits


class Adam:
    """Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019)."""

    def __init__(self, network: Network, decay: float):
        self._network, self._decay, self._step = network, decay, 0
        self._mean = [np.zeros_like(d) for _, d in self._parameters()]
        self._square = [np.zeros_like(d) for _, d in self._parameters()]

    def _parameters(self) -> Iterator[tuple[Array, Array]]:
        for layer in self._network.layers:
            yield layer.weights, layer.d_weights
            yield layer.biases, layer.d_biases

    def step(self, rate: float) -> None:
        self._step += 1
        unbias_mean, unbias_square = 1 - 0.9**self._step, 1 - 0.999**self._step
        moments = zip(self._parameters(), self._mean, self._square, strict=True)
        for (parameter, derivative), mean, square in moments:
            mean += (derivative - mean) * np.float32(0.1)
            square += (derivative**2 - square) * np.float32(0.001)
            change = (mean / unbias_mean) / (np.sqrt(square / unbias_square) + 1e-8)
            if parameter.ndim > 1:
                change = change + self._decay * parameter
            parameter -= (rate * change).astype(np.float32)


def distort(rng: np.random.Generator, images: Images) -> Images:
    """`images`, most of them turned, scaled and shifted a little: more hands than there are.

    Interpolation blurs, so that SHARP_SHARE of them stay as they are.
    """
    n = len(images)
    moved = (rng.random(n) >= SHARP_SHARE).astype(np.float64)
    angle, scale = rng.normal(0, 0.12, n) * moved, 1 + rng.normal(0, 0.05, n) * moved
    shift = (rng.normal(0, 0.4, (2, n)) * moved)[:, :, np.newaxis, np.newaxis]
    sine, cosine = ((scale * f(angle))[:, np.newaxis, np.newaxis] for f in (np.sin, np.cos))
    centre = (IMAGE_SIZE - 1) / 2
    rows, columns = np.mgrid[:IMAGE_SIZE, :IMAGE_SIZE] - centre
    from_rows = cosine * rows - sine * columns + centre + shift[0]
    from_columns = sine * rows + cosine * columns + centre + shift[1]
    image = np.broadcast_to(np.arange(n)[:, np.newaxis, np.newaxis], from_rows.shape)
    seen = map_coordinates(images[..., 0], np.stack([image, from_rows, from_columns]), order=1)
    distorted: Images = seen.astype(np.float32)[..., np.newaxis]
    return distorted


def train(
    digits: Digits, *, seed: int, epochs: int = 90, batch: int = 32, rate: float = 3e-3
) -> Network:
    """A network trained on `digits`: the same one for the same arguments, on one machine.

    The rate falls along half a cosine to zero; the last weights are taken, so
    nothing is chosen by looking at other digits.
    """
    rng = np.random.default_rng(seed)
    network = Network(rng)
    adam = Adam(network, decay=0.01)
    steps_per_epoch = len(digits.images) // batch
    for epoch in range(epochs):
        order = rng.permutation(len(digits.images))
        for i in range(steps_per_epoch):
            chosen = order[i * batch : (i + 1) * batch]
            seen = network.forward(distort(rng, digits.images[chosen]))
            d_logits = softmax(seen["logits"])
            # The derivative of the mean cross-entropy by the logits.
            d_logits[np.arange(batch), digits.labels[chosen]] -= 1
            network.backward(seen, d_logits / np.float32(batch))
            done = (epoch * steps_per_epoch + i) / (epochs * steps_per_epoch)
            adam.step(rate * (1 + np.cos(np.pi * done)) / 2)
    return network
