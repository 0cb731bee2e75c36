"""SignalRfft: the spectra of rows of real numbers."""

from __future__ import annotations

from mcucomp.ops.base import register
from mcucomp.ops.fourier import fourier_definition

SIGNAL_RFFT = register(
    fourier_definition(
        "SignalRfft",
        "the spectra of rows of real numbers",
        lambda length, source, result: source[-1] <= length and result[-1] == length + 2,
        "rows of input have at most fft_length numbers, rows of output two more than it",
        "rfft",
        sign=1,
    )
)
