/*
 * mcuc_batch_matmul_s16: products of matrices, one for each batch.
 *
 * a       input: int16, matrices of [rows][depth]
 * b       input: int16, matrices of [depth][cols]
 * output  int16 [batch_shape[0]]..[batch_shape[5]][rows][cols]
 *
 * A batch's matrix starts at the sum of its coordinate * stride; a stride of 0 repeats it. Its
 * elements are a_row apart from row to row and a_step along the depth, b_col and b_step for b.
 *
 * Ranges  1 <= sizes; strides and steps are at least 0; 0 <= multiplier < 2^15; 8 <= right_shift
 *         <= 46; sums are int64.
 *
 * Order   Output elements in raster order: for each, pairs of a and b along the depth are read
 *         ascending, then it is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_BATCH_MATMUL_S16_H
#define MCUC_BATCH_MATMUL_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
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
    int32_t multiplier;
    int32_t right_shift;
} mcuc_batch_matmul_s16_params;

void mcuc_batch_matmul_s16(const mcuc_batch_matmul_s16_params *p, const int16_t *a,
                           const int16_t *b, int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
