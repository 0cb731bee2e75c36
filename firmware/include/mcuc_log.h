/*
 * mcuc_log.h: the natural logarithm in fixed-point numbers.
 *
 * The arithmetic is that of TensorFlow Lite's log-softmax, bit for bit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_LOG_H
#define MCUC_LOG_H

#include "mcuc_exp.h"
#include "mcuc_isqrt.h"

/* A power of two and what is left of a number once it is taken out. */
typedef struct {
    int32_t power;    /* Q6.25 */
    int32_t mantissa; /* Q0.31 */
} mcuc_log_parts;

/* x taken apart as it is (plus a quarter), or times sqrt(1/2) (less a quarter): the nearer wins. */
static inline mcuc_log_parts mcuc_log_take_apart(int32_t x)
{
    const int32_t sqrt_half = 1518500250;
    const int32_t quarter = (int32_t)1 << 23;
    int32_t zeros = mcuc_leading_zeros((uint32_t)x);
    int32_t upper = mcuc_multiply_high(mcuc_shift_saturating(x, zeros - 1), sqrt_half);
    int32_t headroom = mcuc_leading_zeros((uint32_t)mcuc_multiply_high(x, sqrt_half)) - 1;
    int32_t lower = mcuc_shift_saturating(x, headroom);
    int32_t upper_power = (12 - zeros) * ((int32_t)1 << 25) + quarter;
    int32_t lower_power = (12 - headroom) * ((int32_t)1 << 25) - quarter;
    mcuc_log_parts parts;

    upper = mcuc_shift_saturating(upper, 1);
    parts.mantissa = upper < lower ? upper : lower;
    parts.power = upper_power > lower_power ? upper_power : lower_power;
    return parts;
}

/* log(x) in Q5.26 for x >= 1 in Q12.19. */
static inline int32_t mcuc_log(int32_t x)
{
    const int32_t fourth_root_half = 1805811301;
    mcuc_log_parts parts = mcuc_log_take_apart(x);
    int32_t r = parts.mantissa;
    int64_t sum = (int64_t)r + fourth_root_half;
    int32_t p = (int32_t)((sum + 1) / 2);
    int32_t q = (r - fourth_root_half) * 2;
    int32_t q2 = mcuc_multiply_high(q, q);
    int32_t numerator =
        mcuc_multiply_high(q, r) + mcuc_multiply_high(mcuc_multiply_high(q, q2), 117049297);
    int32_t inner = 1057819769 + q + mcuc_multiply_high(127690142, q2);
    int32_t denominator = mcuc_multiply_high(p, inner) + mcuc_multiply_high(638450708, q);
    int32_t quotient =
        mcuc_multiply_high(mcuc_divide_pot(numerator, 6), mcuc_reciprocal_of_one_plus(denominator));

    return mcuc_shift_saturating(mcuc_multiply_high(parts.power, 1488522236) + quotient, 1);
}

#endif
