/*
 * mcuc_reduce_f32: the sum, mean, maximum or minimum along some dimensions.
 *
 * input   float, any shape of up to six dimensions
 * output  float [kept_shape[0]]..[kept_shape[5]]
 *
 * The input's elements that an output is made of start at the sum of its coordinate * kept_stride,
 * and lie at the sum of coordinate * reduced_stride from there, over reduced_shape. Dimensions
 * that are not there have size 1 and stride 0.
 *
 * operation is '+' (sum), 'm' (mean of `count` elements), '>' (maximum) or '<' (minimum).
 *
 * Ranges  1 <= shapes; 0 <= strides; count is the number of elements of an output.
 *
 * Order   Outputs in raster order: for each, all its elements are read in raster order, then it is
 *         written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_REDUCE_F32_H
#define MCUC_REDUCE_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t kept_shape[6];
    int32_t kept_strides[6];
    int32_t reduced_shape[6];
    int32_t reduced_strides[6];
    int32_t count;
    uint8_t operation;
} mcuc_reduce_f32_params;

void mcuc_reduce_f32(const mcuc_reduce_f32_params *p, const float *input, float *output);

#ifdef __cplusplus
}
#endif

#endif
