/*
 * mcuc_softmax.h: what the softmax kernels with int8 inputs share.
 *
 * Differences to the maximum are in Q5.26, exponentials in Q0.31, their sum in Q12.19, and there
 * is one reciprocal a row by Newton's method, as in TensorFlow Lite.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SOFTMAX_H
#define MCUC_SOFTMAX_H

#include "mcuc_exp.h"

/* How to scale; the members are those of mcuc_softmax_s8_params. */
typedef struct {
    int32_t depth;
    int32_t multiplier;
    int32_t diff_min;
    int32_t left_shift;
} mcuc_softmax_scaling;

/* A difference to the maximum, which is at least diff_min, in Q5.26. */
static inline int32_t mcuc_softmax_difference(const mcuc_softmax_scaling *s, int32_t difference)
{
    int32_t shifted = (int32_t)((uint32_t)difference << s->left_shift);
    return mcuc_multiply_high(shifted, s->multiplier);
}

static inline int32_t mcuc_softmax_max(const mcuc_softmax_scaling *s, const int8_t *input)
{
    int32_t max = input[0];
    for (int32_t i = 1; i < s->depth; i++) {
        max = input[i] > max ? input[i] : max;
    }
    return max;
}

/* The sum of all exponentials of a row; that of the maximum alone is 2^19. */
static inline uint32_t mcuc_softmax_sum(const mcuc_softmax_scaling *s, const int8_t *input,
                                        int32_t max)
{
    uint32_t sum = 0;
    for (int32_t i = 0; i < s->depth; i++) {
        int32_t difference = input[i] - max;
        if (difference >= s->diff_min) {
            int32_t scaled = mcuc_softmax_difference(s, difference);
            sum += (uint32_t)mcuc_divide_pot(mcuc_exp_of_negative(scaled), 12);
        }
    }
    return sum;
}

/* One value of a row in 1 / 2^bits, for a sum with `zeros` leading zeros. */
static inline int32_t mcuc_softmax_value(const mcuc_softmax_scaling *s, int32_t difference,
                                         int32_t reciprocal, int32_t zeros, int32_t bits)
{
    int32_t shift = 43 - bits - zeros;
    if (difference < s->diff_min || shift >= 32) {
        return 0;
    }
    int32_t exponential = mcuc_exp_of_negative(mcuc_softmax_difference(s, difference));
    return mcuc_divide_pot(mcuc_multiply_high(reciprocal, exponential), shift);
}

/* 1 / sum as a number in [1/2, 1), for a sum with `zeros` leading zeros. */
static inline int32_t mcuc_softmax_reciprocal(uint32_t sum, int32_t zeros)
{
    return mcuc_reciprocal_of_one_plus((int32_t)((sum << zeros) - 0x80000000u));
}

#endif
