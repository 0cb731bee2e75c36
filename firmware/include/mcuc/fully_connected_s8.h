/*
 * mcuc_fully_connected_s8: a dense layer with one output scale for all outputs.
 *
 * input   int8 [rows][in_channels]
 * output  int8 [rows][out_channels]
 *
 * filter  int8. Outputs come in blocks of four, the last block may have fewer; a block of b
 *         outputs is [in_channels][b].
 * bias    one entry an output, with the input's zero point folded in modulo 2^32:
 *         bias - zero point * sum of the output's weights.
 *
 * Ranges  1 <= rows; 1 <= in_channels <= 131071; 1 <= out_channels; 0 <= multiplier;
 *         -30 <= right_shift <= 31; -128 <= out_min <= out_max <= 127.
 *
 * Order   Rows one at a time, ascending. For each block of at most four outputs, ascending: reads
 *         the whole row, then writes the block.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_FULLY_CONNECTED_S8_H
#define MCUC_FULLY_CONNECTED_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int8_t *filter;
    const int32_t *bias;
    int32_t multiplier;
    int32_t rows;
    int32_t in_channels;
    int32_t out_channels;
    int8_t right_shift;
    int8_t out_zero_point;
    int8_t out_min;
    int8_t out_max;
} mcuc_fully_connected_s8_params;

void mcuc_fully_connected_s8(const mcuc_fully_connected_s8_params *p, const int8_t *input,
                             int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
