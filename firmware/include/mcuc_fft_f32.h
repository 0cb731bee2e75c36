/*
 * mcuc_fft_f32.h: Fourier transforms of float32.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_FFT_F32_H
#define MCUC_FFT_F32_H

#include "mcuc_float.h"

typedef float mcuc_scalar;

static inline float mcuc_add(float a, float b)
{
    return a + b;
}

static inline float mcuc_subtract(float a, float b)
{
    return a - b;
}

static inline float mcuc_negate(float a)
{
    return -a;
}

static inline float mcuc_half(float a)
{
    return a * 0.5f;
}

static inline float mcuc_half_sum(float a, float b)
{
    return (a + b) * 0.5f;
}

static inline float mcuc_half_difference(float a, float b)
{
    return (a - b) * 0.5f;
}

static inline float mcuc_multiply(float a, float b)
{
    return a * b;
}

static inline float mcuc_product_sum(float a, float b, float c, float d)
{
    return a * b + c * d;
}

static inline float mcuc_product_difference(float a, float b, float c, float d)
{
    return a * b - c * d;
}

/* Floats do not overflow: they stay as they are. */
static inline float mcuc_divide(float a, int32_t divisor)
{
    (void)divisor;
    return a;
}

#include "mcuc_fft.h"

#endif
