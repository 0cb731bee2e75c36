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

/*
 * MCUC_NOINLINE: a function that keeps registers of its own, also where a file does not call it.
 * MCUC_SHARED: a function of a header that an image needs once, however many kernels call it.
 * MCUC_SHARED_IF_SMALL: one that each kernel has for itself, fitted to how it is called, unless the
 * compiler is asked for small code.
 * MCUC_LIKELY: what nearly always holds; keeps the rare path out of the common one.
 */
#if defined(__GNUC__)
#define MCUC_NOINLINE __attribute__((noinline, unused))
#define MCUC_SHARED __attribute__((noinline, weak))
#define MCUC_LIKELY(e) __builtin_expect((e), 1)
#else
#define MCUC_NOINLINE
#define MCUC_SHARED static
#define MCUC_LIKELY(e) (e)
#endif
#if defined(__OPTIMIZE_SIZE__)
#define MCUC_SHARED_IF_SMALL MCUC_SHARED
#else
#define MCUC_SHARED_IF_SMALL static MCUC_NOINLINE
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
 * acc * multiplier * 2^-(31 + right_shift) + zero_point, rounded twice as TensorFlow Lite does.
 * -30 <= right_shift <= 31, multiplier >= 0; a left shift and the last sum wrap. The result of the
 * first rounding exceeds INT32_MIN, since multiplier < 2^31.
 */
static inline int32_t mcuc_scale(uint32_t acc, int32_t multiplier, int32_t right_shift,
                                 int32_t zero_point)
{
    if (MCUC_LIKELY(right_shift > 0)) {
        int32_t x = mcuc_multiply_high((int32_t)acc, multiplier);
        /* mcuc_divide_pot(x, right_shift) + zero_point, with the last two sums in one. */
        return (((x + (x >> 31)) >> (right_shift - 1)) + (2 * zero_point + 1)) >> 1;
    }
    uint32_t x = (uint32_t)mcuc_multiply_high((int32_t)(acc << -right_shift), multiplier);
    return (int32_t)(x + (uint32_t)zero_point);
}

static inline int32_t mcuc_clamp(int32_t x, int32_t min, int32_t max)
{
    x = x < min ? min : x;
    return x > max ? max : x;
}

/* Scales, adds the zero point and clamps: an accumulator's way to int8. */
static inline int8_t mcuc_requantize(uint32_t acc, int32_t multiplier, int32_t right_shift,
                                     int32_t zero_point, int32_t min, int32_t max)
{
    return (int8_t)mcuc_clamp(mcuc_scale(acc, multiplier, right_shift, zero_point), min, max);
}

#endif
