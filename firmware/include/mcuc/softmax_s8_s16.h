/*
 * mcuc_softmax_s8_s16: exponentials that add up to one, along the last dimension.
 *
 * input   int8 [rows][depth]
 * output  int16 [rows][depth], in 1/65536 with -32768 for 0
 *
 * A difference to the row's maximum, shifted left by left_shift, times multiplier / 2^31, is in
 * Q5.26; those below diff_min count as nothing.
 *
 * Ranges  1 <= rows, depth; at most 8191 values a row; 0 < multiplier; 0 <= left_shift <= 31;
 *         diff_min <= 0.
 *
 * Order   Row after row: all values of the row are read three times; in the third pass, ascending,
 *         each is read and then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SOFTMAX_S8_S16_H
#define MCUC_SOFTMAX_S8_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t rows;
    int32_t depth;
    int32_t multiplier;
    int32_t diff_min;
    int32_t left_shift;
} mcuc_softmax_s8_s16_params;

void mcuc_softmax_s8_s16(const mcuc_softmax_s8_s16_params *p, const int8_t *input, int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
