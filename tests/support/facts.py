"""What was measured elsewhere of the ten models that every build is held to.

CRC-32 and instructions are of TensorFlow Lite Micro with its reference
kernels on an emulated Cortex-M4, compiled as its releases are; the CRC is over
the output bytes of the first inference with input byte i = (37 i + 11) & 0xff.
Arenas are live peaks, which no order of these models' operators goes below.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Facts:
    """None where nothing was measured. `fits` says whether it fits the stm32."""

    arena_bytes: int | None = None
    crc32: str | None = None
    reference_instructions: int | None = None
    fits: bool = True


TEN_MODELS = {
    "mlperf-kws-dscnn-int8": Facts(16_000, "4a3130da", 43_039_879),
    "mlperf-vww-mobilenet025-int8": Facts(55_296, "90d2a596", 100_241_161),
    "mlperf-ic-resnet8-int8": Facts(49_152, "8ffeda4f", 107_406_111),
    "mlperf-ad-autoencoder-int8": Facts(768, "036b7d7e", 1_952_364),
    "mlperf-sww-streaming-int8": Facts(6_656, "e54d3674", 8_286_355),
    "tflm-hello-world-int8": Facts(32),
    "tflm-micro-speech-int8": Facts(5_968, "e2ae7abe", 9_311_233),
    "tflm-person-detect-int8": Facts(55_296, "2ac49f4a", 95_685_098),
    "silabs-magic-wand-int8": Facts(),
    "mcunet-vww-int8": Facts(161_472, fits=False),
}
CODE_LIMIT_BYTES = 16 * 1024
ALIGNMENT_SLACK_BYTES = 15  # the figures round to 16 bytes, plans may round to less
