"""SignalIrfft: rows of real numbers from their spectra."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.fourier import fourier_definition

SIGNAL_IRFFT = register(
    fourier_definition(
        "SignalIrfft",
        "rows of real numbers from their spectra",
        lambda length, source, result: source[-1] == length + 2 and result[-1] == length,
        "rows of input have two numbers more than fft_length, rows of output as many as it",
        "irfft",
        sign=-1,
    )
)
