"""Kernels for CPUs with the DSP extension: Cortex-M4, M7, M33, and M55 (which has more).

Their parameters, and what is exact about them, is in `firmware/include/mcuc/`
and `firmware/include/mcuc_dsp.h`; here it is decided whether their conditions
hold, from the weights themselves.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from mcucomp.backends.base import Backend
from mcucomp.backends.dsp.contracts import CONTRACTS
from mcucomp.backends.dsp.convolution import convolution, pointwise
from mcucomp.backends.dsp.dense import fully_connected
from mcucomp.backends.dsp.depthwise import depthwise, depthwise_1xn, depthwise_3x3
from mcucomp.backends.dsp.elementwise import add, average_pool, max_pool
from mcucomp.backends.dsp.winograd import winograd

BACKEND = Backend(
    name="dsp",
    folder=PurePosixPath("kernels/dsp"),
    suffix="__dsp",
    cpus=frozenset({"cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55"}),
    rules={
        "mcuc_conv_2d_s8": (convolution, winograd),
        "mcuc_conv_2d_s8__1x1": (pointwise,),
        "mcuc_depthwise_conv_2d_s8": (depthwise, depthwise_3x3, depthwise_1xn),
        "mcuc_fully_connected_s8": (fully_connected,),
        "mcuc_add_s8": (add,),
        "mcuc_average_pool_2d_s8": (average_pool,),
        "mcuc_max_pool_2d_s8": (max_pool,),
    },
    alignment=4,
    contracts=CONTRACTS,
)
