/*
 * mcuc_softmax_s16: exponentials that add up to one, along the last dimension, by tables.
 *
 * input   int16 [rows][depth]
 * output  int16 [rows][depth], in 1/32768
 *
 * exp_table holds exp(x) for x from -10 to 0, reciprocal_table 1 / (1 + x) for x from 0 to 1, both
 * in 1/32767 at 512 steps. multiplier and right_shift bring a difference to 10 / 65535.
 *
 * Ranges  1 <= rows, depth <= 65535; 0 <= multiplier; -30 <= right_shift <= 31; 513 entries each.
 *
 * Order   Row after row: all values of the row are read for the maximum, then again, ascending,
 *         each exponential being written to its place of the output; then all of those are read
 *         and replaced, ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SOFTMAX_S16_H
#define MCUC_SOFTMAX_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int16_t *exp_table;
    const int16_t *reciprocal_table;
    int32_t rows;
    int32_t depth;
    int32_t multiplier;
    int8_t right_shift;
} mcuc_softmax_s16_params;

void mcuc_softmax_s16(const mcuc_softmax_s16_params *p, const int16_t *input, int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
