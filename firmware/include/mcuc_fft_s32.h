/*
 * mcuc_fft_s32.h: Fourier transforms of int32, fractions of 31 bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_FFT_S32_H
#define MCUC_FFT_S32_H

#include "mcuc.h"

typedef int32_t mcuc_scalar;

/* Sums wrap. */
static inline int32_t mcuc_add(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

static inline int32_t mcuc_subtract(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

static inline int32_t mcuc_negate(int32_t a)
{
    return (int32_t)(0u - (uint32_t)a);
}

static inline int32_t mcuc_half(int32_t a)
{
    return a >> 1;
}

/* The sum wraps before it is halved. */
static inline int32_t mcuc_half_sum(int32_t a, int32_t b)
{
    return mcuc_add(a, b) >> 1;
}

static inline int32_t mcuc_half_difference(int32_t a, int32_t b)
{
    return mcuc_subtract(a, b) >> 1;
}

/* From a product's fraction of 62 bits to one of 31, rounded half up. */
static inline int32_t mcuc_rounded(int64_t product)
{
    return (int32_t)((product + ((int64_t)1 << 30)) >> 31);
}

static inline int32_t mcuc_multiply(int32_t a, int32_t b)
{
    return mcuc_rounded((int64_t)a * b);
}

/* a * b + c * d and a * b - c * d, rounded once. */
static inline int32_t mcuc_product_sum(int32_t a, int32_t b, int32_t c, int32_t d)
{
    return mcuc_rounded((int64_t)a * b + (int64_t)c * d);
}

static inline int32_t mcuc_product_difference(int32_t a, int32_t b, int32_t c, int32_t d)
{
    return mcuc_rounded((int64_t)a * b - (int64_t)c * d);
}

static inline int32_t mcuc_divide(int32_t a, int32_t divisor)
{
    return mcuc_rounded((int64_t)a * (INT32_MAX / divisor));
}

#include "mcuc_fft.h"

#endif
