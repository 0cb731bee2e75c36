/*
 * mcuc_batch_matmul_f32: products of matrices, one for each batch.
 *
 * a       input: float, matrices of [rows][depth]
 * b       input: float, matrices of [depth][cols]
 * output  float [batch_shape[0]]..[batch_shape[5]][rows][cols]
 *
 * A batch's matrix starts at the sum of its coordinate * stride; a stride of 0 repeats it. Its
 * elements are a_row apart from row to row and a_step along the depth, b_col and b_step for b.
 *
 * bias    one entry a column, added when all products have been; null for none.
 *
 * Ranges  1 <= sizes; strides and steps are at least 0; out_min <= out_max; sums are float.
 *
 * Order   Output elements in raster order: for each, pairs of a and b along the depth are read
 *         ascending, then it is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_BATCH_MATMUL_F32_H
#define MCUC_BATCH_MATMUL_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const float *bias;
    int32_t batch_shape[6];
    int32_t a_strides[6];
    int32_t b_strides[6];
    int32_t rows;
    int32_t cols;
    int32_t depth;
    int32_t a_row;
    int32_t a_step;
    int32_t b_col;
    int32_t b_step;
    float out_min;
    float out_max;
} mcuc_batch_matmul_f32_params;

void mcuc_batch_matmul_f32(const mcuc_batch_matmul_f32_params *p, const float *a, const float *b,
                           float *output);

#ifdef __cplusplus
}
#endif

#endif
