/*
 * mcuc_arithmetic_f32: sums, differences, products, quotients and extrema of two tensors.
 *
 * a, b    inputs: float
 * output  float [shape[0]][shape[1]]..[shape[5]]
 *
 * The element of an input at an output's coordinates is at the sum of coordinate * stride; a
 * stride of 0 repeats.
 *
 * operation is '+', '-', '*', '/', '^' (the square of the difference), '<' (the smaller) or '>'
 * (the larger). Results are clamped; NaN stays.
 *
 * Ranges  1 <= shape; out_min <= out_max.
 *
 * Order   Output elements in raster order: for each, the element of `a` and that of `b` are read,
 *         then it is written. An input whose strides are those of the output is read ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ARITHMETIC_F32_H
#define MCUC_ARITHMETIC_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t shape[6];
    int32_t a_strides[6];
    int32_t b_strides[6];
    float out_min;
    float out_max;
    uint8_t operation;
} mcuc_arithmetic_f32_params;

void mcuc_arithmetic_f32(const mcuc_arithmetic_f32_params *p, const float *a, const float *b,
                         float *output);

#ifdef __cplusplus
}
#endif

#endif
