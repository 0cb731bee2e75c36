/*
 * mcuc_exp.h: exponentials and reciprocals in fixed-point numbers.
 *
 * The arithmetic is that of TensorFlow Lite's softmax, bit for bit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_EXP_H
#define MCUC_EXP_H

#include "mcuc_math.h"

/* exp(a) in Q0.31 for a <= 0 in Q5.26: a polynomial on [-1/4, 0), then a factor a bit. */
static inline int32_t mcuc_exp_of_negative(int32_t a)
{
    /* exp(-2^(k - 2)) in Q0.31, for bit 24 + k of a Q5.26 number. */
    static const int32_t exp_of_bit[7] = {1672461947, 1302514674, 790015084, 290630308,
                                          39332535,   720401,     242};
    const int32_t quarter = (int32_t)1 << 24;
    if (a == 0) {
        return INT32_MAX;
    }
    int32_t a_mod = (a & (quarter - 1)) - quarter;
    int32_t remainder = a_mod - a;
    int32_t x = a_mod * 32 + ((int32_t)1 << 28); /* offset from -1/8, in Q0.31 */
    int32_t x2 = mcuc_multiply_high(x, x);
    int32_t x3 = mcuc_multiply_high(x2, x);
    int32_t x4 = mcuc_multiply_high(x2, x2);
    int32_t tail = mcuc_multiply_high(mcuc_divide_pot(x4, 2) + x3, 715827883) + x2;
    int32_t polynomial = x + mcuc_divide_pot(tail, 1);
    int32_t result = 1895147668 + mcuc_multiply_high(1895147668, polynomial);

    for (int32_t k = 0; k < 7; k++) {
        if (remainder & (quarter << k)) {
            result = mcuc_multiply_high(result, exp_of_bit[k]);
        }
    }
    return result;
}

static inline int32_t mcuc_saturating_double(int32_t x)
{
    if (x > INT32_MAX / 2) {
        return INT32_MAX;
    }
    return x < -(INT32_MAX / 2) - 1 ? INT32_MIN : x * 2;
}

/* 1 / (1 + a) in Q0.31 for 0 <= a < 1 in Q0.31. */
static inline int32_t mcuc_reciprocal_of_one_plus(int32_t a)
{
    int32_t half = (int32_t)(((int64_t)a + INT32_MAX + 1) >> 1);
    int32_t x = 1515870810 + mcuc_multiply_high(half, -1010580540); /* 48/17 - 32/17 half, Q2.29 */

    for (int32_t round = 0; round < 3; round++) {
        int32_t error = ((int32_t)1 << 29) - mcuc_multiply_high(half, x);
        x += mcuc_saturating_double(mcuc_saturating_double(mcuc_multiply_high(x, error)));
    }
    return mcuc_saturating_double(x);
}

/* For x > 0. */
static inline int32_t mcuc_leading_zeros(uint32_t x)
{
    int32_t n = 0;
    for (; x < 0x80000000u; x <<= 1) {
        n++;
    }
    return n;
}

#endif
