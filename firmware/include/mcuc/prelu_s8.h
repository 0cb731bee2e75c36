/*
 * mcuc_prelu_s8: negative values times a factor of their own.
 *
 * input   int8
 * alpha   input: int8
 * output  int8 [shape[0]][shape[1]]..[shape[5]]
 *
 * The element of input or alpha at an output's coordinates is at the sum of coordinate * stride; a
 * stride of 0 repeats.
 *
 * Values at or above the zero point take positive_multiplier; others are multiplied by alpha, and
 * the product takes negative_multiplier.
 *
 * Ranges  1 <= shape; 0 <= multipliers; -30 <= right shifts <= 31.
 *
 * Order   Output elements in raster order: for each, the input's element and alpha's are read,
 *         then it is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_PRELU_S8_H
#define MCUC_PRELU_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t shape[6];
    int32_t a_strides[6];
    int32_t b_strides[6];
    int32_t a_offset; /* minus the input's zero point */
    int32_t b_offset; /* minus alpha's zero point */
    int32_t positive_multiplier;
    int32_t negative_multiplier;
    int32_t out_zero_point;
    int8_t positive_right_shift;
    int8_t negative_right_shift;
} mcuc_prelu_s8_params;

void mcuc_prelu_s8(const mcuc_prelu_s8_params *p, const int8_t *input, const int8_t *alpha,
                   int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
