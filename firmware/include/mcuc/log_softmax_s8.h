/*
 * mcuc_log_softmax_s8: the logarithm of softmax, along the last dimension.
 *
 * input   int8 [rows][depth]
 * output  int8 [rows][depth], in 1/16 with 127 for 0
 *
 * A difference to the row's maximum, shifted left by left_shift, times multiplier / 2^31, is in
 * Q5.26; those below diff_min count as nothing. reverse_multiplier and reverse_right_shift undo
 * that scaling.
 *
 * Ranges  1 <= rows, depth; at most 4095 values a row; 0 < multipliers; 0 <= left_shift <= 31;
 *         diff_min <= 0; 0 <= reverse_right_shift <= 31.
 *
 * Order   Row after row: all values of the row are read three times; in the third pass, ascending,
 *         each is read and then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_LOG_SOFTMAX_S8_H
#define MCUC_LOG_SOFTMAX_S8_H

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
    int32_t reverse_multiplier;
    int32_t reverse_right_shift;
} mcuc_log_softmax_s8_params;

void mcuc_log_softmax_s8(const mcuc_log_softmax_s8_params *p, const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
