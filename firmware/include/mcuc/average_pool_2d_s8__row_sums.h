/*
 * mcuc_average_pool_2d_s8__row_sums: mcuc_average_pool_2d_s8 of a whole image, row by row.
 *
 * rows    one pointer, to int8 [width][channels]: row `row` of the image
 * state   a sum a channel, int32 where is_wide, else int16
 * output  int8 [channels], quantised like the input; written when the last row was added
 *
 * Rows are handed over in order, from 0 to height - 1. The sum is divided by the number of pixels,
 * rounded half away from zero.
 *
 * Ranges  1 <= sizes <= 32767; width * height <= 2^23, and at most 256 where not is_wide;
 *         -128 <= out_min <= out_max <= 127.
 *
 * Order   The row is read and the state written, channel by channel; at the end the output is
 *         written from the state. State, row and output do not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_AVERAGE_POOL_2D_S8__ROW_SUMS_H
#define MCUC_AVERAGE_POOL_2D_S8__ROW_SUMS_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint16_t height;
    uint16_t width;
    uint16_t channels;
    uint8_t is_wide;
    int8_t out_min;
    int8_t out_max;
} mcuc_average_pool_2d_s8__row_sums_params;

void mcuc_average_pool_2d_s8__row_sums(const mcuc_average_pool_2d_s8__row_sums_params *p,
                                       const void *const *rows, void *state, void *output,
                                       int32_t row);

#ifdef __cplusplus
}
#endif

#endif
