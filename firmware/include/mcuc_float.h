/*
 * mcuc_float.h: what kernels on float32 share.
 *
 * Their results equal TensorFlow Lite Micro's bit for bit where the compiler neither fuses nor
 * reorders (GCC: -ffp-contract=off, no -ffast-math) and where the C library's functions agree.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_FLOAT_H
#define MCUC_FLOAT_H

#include "mcuc.h"

/* NaN stays. */
static inline float mcuc_clamp_f32(float x, float min, float max)
{
    x = x < min ? min : x;
    return max < x ? max : x;
}

#endif
