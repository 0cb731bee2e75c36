/*
 * mcuc_softmax_s8: exp(x) / sum of exp(x) along the last dimension, in fixed point.
 *
 * input   int8 [rows][depth], any scale and zero point
 * output  int8 [rows][depth], scale 1/256, zero point -128
 *
 * multiplier, left_shift  scale the difference to a row's maximum to Q5.26.
 * diff_min  differences below it have the result zero.
 *
 * Where the exponentials of a row add up to 512 times the largest or more, TensorFlow Lite Micro
 * shifts by more than 31 bits, which C leaves undefined; here all results are then zero (-128),
 * which is what they round to.
 *
 * Ranges  1 <= rows; 1 <= depth <= 8191; 0 <= multiplier; 0 <= left_shift <= 31;
 *         diff_min * 2^left_shift >= -31 * 2^26.
 *
 * Order   Rows one at a time, ascending. A row is read twice as a whole, then element after
 *         element, ascending: each is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SOFTMAX_S8_H
#define MCUC_SOFTMAX_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t rows;
    int32_t depth;
    int32_t multiplier;
    int32_t diff_min;
    int8_t left_shift;
} mcuc_softmax_s8_params;

void mcuc_softmax_s8(const mcuc_softmax_s8_params *p, const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
