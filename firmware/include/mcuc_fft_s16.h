/*
 * mcuc_fft_s16.h: Fourier transforms of int16, fractions of 15 bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_FFT_S16_H
#define MCUC_FFT_S16_H

#include "mcuc.h"

typedef int16_t mcuc_scalar;

/* Sums wrap. */
static inline int16_t mcuc_add(int16_t a, int16_t b)
{
    return (int16_t)(uint16_t)((uint32_t)a + (uint32_t)b);
}

static inline int16_t mcuc_subtract(int16_t a, int16_t b)
{
    return (int16_t)(uint16_t)((uint32_t)a - (uint32_t)b);
}

static inline int16_t mcuc_negate(int16_t a)
{
    return (int16_t)(uint16_t)(0u - (uint32_t)a);
}

static inline int16_t mcuc_half(int16_t a)
{
    return a >> 1;
}

/* Nothing wraps before the result is halved. */
static inline int16_t mcuc_half_sum(int16_t a, int16_t b)
{
    return (int16_t)((a + b) >> 1);
}

static inline int16_t mcuc_half_difference(int16_t a, int16_t b)
{
    return (int16_t)((a - b) >> 1);
}

/* From a product's fraction of 30 bits to one of 15, rounded half up. */
static inline int16_t mcuc_rounded(int32_t product)
{
    return (int16_t)((product + ((int32_t)1 << 14)) >> 15);
}

static inline int16_t mcuc_multiply(int16_t a, int16_t b)
{
    return mcuc_rounded((int32_t)a * b);
}

/* a * b + c * d and a * b - c * d, rounded once. */
static inline int16_t mcuc_product_sum(int16_t a, int16_t b, int16_t c, int16_t d)
{
    return mcuc_rounded((int32_t)a * b + (int32_t)c * d);
}

static inline int16_t mcuc_product_difference(int16_t a, int16_t b, int16_t c, int16_t d)
{
    return mcuc_rounded((int32_t)a * b - (int32_t)c * d);
}

static inline int16_t mcuc_divide(int16_t a, int32_t divisor)
{
    return mcuc_rounded((int32_t)a * (INT16_MAX / divisor));
}

#include "mcuc_fft.h"

#endif
