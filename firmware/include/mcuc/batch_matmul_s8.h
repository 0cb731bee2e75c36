/*
 * mcuc_batch_matmul_s8: products of matrices, one for each batch.
 *
 * a       input: int8, matrices of [rows][depth]
 * b       input: int8, matrices of [depth][cols]
 * output  int8 [batch_shape[0]]..[batch_shape[5]][rows][cols]
 *
 * A batch's matrix starts at the sum of its coordinate * stride; a stride of 0 repeats it. Its
 * elements are a_row apart from row to row and a_step along the depth, b_col and b_step for b.
 *
 * bias    one entry a column, which its sums start from; null for none.
 *
 * Ranges  1 <= sizes; strides and steps are at least 0; 0 <= multiplier; -30 <= right_shift <= 31;
 *         -128 <= out_min <= out_max <= 127; sums are taken modulo 2^32.
 *
 * Order   Output elements in raster order: for each, pairs of a and b along the depth are read
 *         ascending, then it is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_BATCH_MATMUL_S8_H
#define MCUC_BATCH_MATMUL_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int32_t *bias;
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
    int32_t a_zero_point;
    int32_t b_zero_point;
    int32_t multiplier;
    int32_t right_shift;
    int32_t out_zero_point;
    int32_t out_min;
    int32_t out_max;
} mcuc_batch_matmul_s8_params;

void mcuc_batch_matmul_s8(const mcuc_batch_matmul_s8_params *p, const int8_t *a, const int8_t *b,
                          int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
