/*
 * mcuc_floor_f32: quotients of two tensors rounded down, or what is left over.
 *
 * a, b    inputs: float
 * output  float [shape[0]][shape[1]]..[shape[5]]
 *
 * The element of an input at an output's coordinates is at the sum of coordinate * stride; a
 * stride of 0 repeats.
 *
 * is_rest is 0 for floor(a / b), 1 for the rest of that division, which has the sign of b.
 *
 * Ranges  1 <= shape.
 *
 * Order   Output elements in raster order: for each, the element of `a` and that of `b` are read,
 *         then it is written. An input whose strides are those of the output is read ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_FLOOR_F32_H
#define MCUC_FLOOR_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t shape[6];
    int32_t a_strides[6];
    int32_t b_strides[6];
    uint8_t is_rest;
} mcuc_floor_f32_params;

void mcuc_floor_f32(const mcuc_floor_f32_params *p, const float *a, const float *b, float *output);

#ifdef __cplusplus
}
#endif

#endif
