/*
 * mcuc_cumsum_f32: sums of what comes before, along one dimension.
 *
 * input, output  float [outer][depth][inner]
 *
 * Each output is the sum of the inputs up to it along the middle dimension. is_exclusive is 1
 * where the input at the same place does not count, is_reverse 1 where sums start at the end.
 *
 * Ranges  1 <= outer, depth, inner.
 *
 * Order   For each outer index, ascending, and each inner one: along the middle dimension,
 *         ascending or, where is_reverse, descending, an input is read, then the output at its
 *         place is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CUMSUM_F32_H
#define MCUC_CUMSUM_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t outer;
    int32_t depth;
    int32_t inner;
    uint8_t is_exclusive;
    uint8_t is_reverse;
} mcuc_cumsum_f32_params;

void mcuc_cumsum_f32(const mcuc_cumsum_f32_params *p, const float *input, float *output);

#ifdef __cplusplus
}
#endif

#endif
