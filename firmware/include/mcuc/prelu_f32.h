/*
 * mcuc_prelu_f32: negative values times a factor of their own.
 *
 * input   float
 * alpha   input: float
 * output  float [shape[0]][shape[1]]..[shape[5]]
 *
 * The element of input or alpha at an output's coordinates is at the sum of coordinate * stride; a
 * stride of 0 repeats.
 *
 * Ranges  1 <= shape.
 *
 * Order   Output elements in raster order: for each, the input's element and alpha's are read,
 *         then it is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_PRELU_F32_H
#define MCUC_PRELU_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t shape[6];
    int32_t a_strides[6];
    int32_t b_strides[6];
} mcuc_prelu_f32_params;

void mcuc_prelu_f32(const mcuc_prelu_f32_params *p, const float *input, const float *alpha,
                    float *output);

#ifdef __cplusplus
}
#endif

#endif
