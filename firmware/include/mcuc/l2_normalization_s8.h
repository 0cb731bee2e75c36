/*
 * mcuc_l2_normalization_s8: rows divided by their lengths.
 *
 * input   int8 [rows][depth]
 * output  int8 [rows][depth], in 1/128 with 0 for 0
 *
 * Ranges  1 <= rows; 1 <= depth <= 32768, so that the sum of squares stays within 31 bits.
 *
 * Order   Row after row: all values of the row are read; then, ascending, each is read again and
 *         its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_L2_NORMALIZATION_S8_H
#define MCUC_L2_NORMALIZATION_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t rows;
    int32_t depth;
    int32_t zero_point;
} mcuc_l2_normalization_s8_params;

void mcuc_l2_normalization_s8(const mcuc_l2_normalization_s8_params *p, const int8_t *input,
                              int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
