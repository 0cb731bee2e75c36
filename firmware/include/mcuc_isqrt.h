/*
 * mcuc_isqrt.h: one over the square root of an integer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ISQRT_H
#define MCUC_ISQRT_H

#include "mcuc_math.h"

/* x * 2^n, clamped to int32. */
static inline int32_t mcuc_shift_saturating(int32_t x, int32_t n)
{
    int64_t wide = (int64_t)x * ((int64_t)1 << n);
    wide = wide > INT32_MAX ? INT32_MAX : wide;
    return (int32_t)(wide < INT32_MIN ? INT32_MIN : wide);
}

/*
 * 1 / sqrt(x) ~ multiplier * 2^-(31 + right_shift), for x >= 0; for x <= 1 it is 1. The result is
 * in [2^29, 2^31) and comes from five of Newton's steps in Q3.28, as in TensorFlow Lite.
 */
static inline int32_t mcuc_inverse_square_root(int32_t x, int32_t *right_shift)
{
    int32_t right = 11;
    int32_t spare = 0;

    *right_shift = 0;
    if (x <= 1) {
        return INT32_MAX;
    }
    for (; x >= (int32_t)1 << 29; x /= 4) {
        right++;
    }
    for (; x < (int32_t)1 << 27; x *= 4) {
        spare++;
    }
    right -= spare;
    int32_t half = mcuc_divide_pot(x >> 1, 1);
    int32_t y = (int32_t)1 << 28;
    for (int32_t step = 0; step < 5; step++) {
        int32_t y2 = mcuc_multiply_high(y, y);
        int32_t y3 = mcuc_shift_saturating(mcuc_multiply_high(y2, y), 6);
        int32_t next = mcuc_multiply_high(402653184, y) - mcuc_multiply_high(half, y3);
        y = mcuc_shift_saturating(next, 3);
    }
    y = mcuc_multiply_high(y, 1518500250);
    if (right < 0) {
        return (int32_t)((uint32_t)y << -right);
    }
    *right_shift = right;
    return y;
}

#endif
