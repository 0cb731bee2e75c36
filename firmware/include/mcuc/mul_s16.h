/*
 * mcuc_mul_s16: the product of two tensors, each repeated along dimensions where it has 1.
 *
 * a, b    inputs: int16
 * output  int16 [shape[0]][shape[1]]..[shape[5]]
 *
 * The element of an input at an output's coordinates is at the sum of coordinate * stride; a
 * stride of 0 repeats.
 *
 * Ranges  1 <= shape; 0 <= multiplier; -30 <= right_shift <= 31; out_min <= out_max.
 *
 * Order   Output elements in raster order: for each, the element of `a` and that of `b` are read,
 *         then it is written. An input whose strides are those of the output is read ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_MUL_S16_H
#define MCUC_MUL_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t shape[6];
    int32_t a_strides[6];
    int32_t b_strides[6];
    int32_t a_offset; /* minus the zero point */
    int32_t b_offset;
    int32_t multiplier;
    int32_t out_zero_point;
    int32_t out_min;
    int32_t out_max;
    int8_t right_shift;
} mcuc_mul_s16_params;

void mcuc_mul_s16(const mcuc_mul_s16_params *p, const int16_t *a, const int16_t *b,
                  int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
