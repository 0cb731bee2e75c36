/*
 * mcuc_mean_s8__row_sums: mcuc_mean_s8 of each channel of an image, row by row.
 *
 * rows    one pointer, to int8 [width][channels]: row `row` of the input
 * state   a sum a channel, int32 where is_wide, else int16
 * output  int8 [channels]; written when the last row was added
 *
 * Rows are handed over in order, from 0 to height - 1. offset, multiplier, right_shift and
 * out_zero_point are those of mcuc_mean_s8.
 *
 * Ranges  as for mcuc_mean_s8; 1 <= sizes <= 32767; width * height <= 2^23, and at most 256 where
 *         not is_wide.
 *
 * Order   The row is read and the state written, channel by channel; at the end the output is
 *         written from the state. State, row and output do not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_MEAN_S8__ROW_SUMS_H
#define MCUC_MEAN_S8__ROW_SUMS_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t offset;
    int32_t multiplier;
    uint16_t height;
    uint16_t width;
    uint16_t channels;
    uint8_t is_wide;
    int8_t right_shift;
    int8_t out_zero_point;
} mcuc_mean_s8__row_sums_params;

void mcuc_mean_s8__row_sums(const mcuc_mean_s8__row_sums_params *p, const void *const *rows,
                            void *state, void *output, int32_t row);

#ifdef __cplusplus
}
#endif

#endif
