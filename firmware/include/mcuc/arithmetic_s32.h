/*
 * mcuc_arithmetic_s32: sums, differences, products, quotients and extrema of two tensors.
 *
 * a, b    inputs: int32
 * output  int32 [shape[0]][shape[1]]..[shape[5]]
 *
 * The element of an input at an output's coordinates is at the sum of coordinate * stride; a
 * stride of 0 repeats.
 *
 * operation is '+', '-', '*', '/', '^' (the square of the difference), '<' (the smaller) or '>'
 * (the larger). Results are taken modulo 2^32 and clamped. A quotient is rounded towards 0; that
 * by 0 is 0.
 *
 * Ranges  1 <= shape; out_min <= out_max.
 *
 * Order   Output elements in raster order: for each, the element of `a` and that of `b` are read,
 *         then it is written. An input whose strides are those of the output is read ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ARITHMETIC_S32_H
#define MCUC_ARITHMETIC_S32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t shape[6];
    int32_t a_strides[6];
    int32_t b_strides[6];
    int32_t out_min;
    int32_t out_max;
    uint8_t operation;
} mcuc_arithmetic_s32_params;

void mcuc_arithmetic_s32(const mcuc_arithmetic_s32_params *p, const int32_t *a, const int32_t *b,
                         int32_t *output);

#ifdef __cplusplus
}
#endif

#endif
