/*
 * mcuc_softmax_f32: exponentials that add up to one, along the last dimension.
 *
 * input, output  float [rows][depth]
 *
 * Ranges  1 <= rows, depth; beta is finite.
 *
 * Order   Row after row: all values of the row are read for the maximum; then again, ascending,
 *         each exponential being written to its place; then all of those are read and replaced,
 *         ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SOFTMAX_F32_H
#define MCUC_SOFTMAX_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t rows;
    int32_t depth;
    float beta;
} mcuc_softmax_f32_params;

void mcuc_softmax_f32(const mcuc_softmax_f32_params *p, const float *input, float *output);

#ifdef __cplusplus
}
#endif

#endif
