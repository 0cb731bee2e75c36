/*
 * mcuc_cumsum_s8: sums of what comes before, along one dimension.
 *
 * input, output  int8 [outer][depth][inner]
 *
 * Each output is the sum of the inputs up to it along the middle dimension, less the zero point
 * once more, as TensorFlow Lite has it. is_exclusive is 1 where the input at the same place does
 * not count, is_reverse 1 where sums start at the end.
 *
 * Ranges  1 <= outer, depth, inner; 0 <= multiplier; 0 <= right_shift <= 31.
 *
 * Order   For each outer index, ascending, and each inner one: along the middle dimension,
 *         ascending or, where is_reverse, descending, an input is read, then the output at its
 *         place is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CUMSUM_S8_H
#define MCUC_CUMSUM_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t outer;
    int32_t depth;
    int32_t inner;
    int32_t multiplier;
    int32_t zero_point;
    int32_t out_zero_point;
    int8_t right_shift;
    uint8_t is_exclusive;
    uint8_t is_reverse;
} mcuc_cumsum_s8_params;

void mcuc_cumsum_s8(const mcuc_cumsum_s8_params *p, const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
