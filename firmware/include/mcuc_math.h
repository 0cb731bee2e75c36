/*
 * mcuc_math.h: quantised arithmetic that kernels share.
 *
 * Accumulators are uint32_t: sums of products are taken modulo 2^32, which is
 * what folding a zero point into a bias needs to be exact. The bits are read
 * as a two's complement number where a sum is scaled.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_MATH_H
#define MCUC_MATH_H

#include "mcuc.h"

/* A function that keeps registers of its own, also where a file does not call it. */
#if defined(__GNUC__)
#define MCUC_NOINLINE __attribute__((noinline, unused))
#else
#define MCUC_NOINLINE
#endif

/* a * b / 2^31 rounded half up; not both INT32_MIN. */
static inline int32_t mcuc_multiply_high(int32_t a, int32_t b)
{
    return (int32_t)(((int64_t)a * b + ((int64_t)1 << 30)) >> 31);
}

/* x / 2^n rounded half away from zero, for 1 <= n <= 31 and x > INT32_MIN. */
static inline int32_t mcuc_divide_pot(int32_t x, int32_t n)
{
    return (((x + (x >> 31)) >> (n - 1)) + 1) >> 1;
}

/*
 * acc * multiplier * 2^-(31 + right_shift), rounded twice as TensorFlow Lite
 * does. -30 <= right_shift <= 31, multiplier >= 0; a left shift wraps. The
 * result of the first rounding exceeds INT32_MIN, since multiplier < 2^31.
 */
static inline int32_t mcuc_scale(uint32_t acc, int32_t multiplier, int32_t right_shift)
{
    if (right_shift > 0) {
        return mcuc_divide_pot(mcuc_multiply_high((int32_t)acc, multiplier), right_shift);
    }
    return mcuc_multiply_high((int32_t)(acc << -right_shift), multiplier);
}

static inline int32_t mcuc_clamp(int32_t x, int32_t min, int32_t max)
{
    x = x < min ? min : x;
    return x > max ? max : x;
}

/* Scales, adds the zero point (modulo 2^32) and clamps: an accumulator's way to int8. */
static inline int8_t mcuc_requantize(uint32_t acc, int32_t multiplier, int32_t right_shift,
                                     int32_t zero_point, int32_t min, int32_t max)
{
    uint32_t scaled = (uint32_t)mcuc_scale(acc, multiplier, right_shift);
    return (int8_t)mcuc_clamp((int32_t)(scaled + (uint32_t)zero_point), min, max);
}

/* Requantises `lanes` neighbouring channels; bias, multiplier, right_shift have an entry each. */
static inline void mcuc_requantize_lanes(const int32_t *acc, int32_t lanes, const int32_t *bias,
                                         const int32_t *multiplier, const int8_t *right_shift,
                                         int32_t zero_point, int32_t min, int32_t max,
                                         int8_t *output)
{
    for (int32_t i = 0; i < lanes; i++) {
        output[i] = mcuc_requantize((uint32_t)acc[i] + (uint32_t)bias[i], multiplier[i],
                                    right_shift[i], zero_point, min, max);
    }
}

#endif
