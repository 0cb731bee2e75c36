/*
 * mcuc_average_pool_2d_s8__row_sums: mcuc_average_pool_2d_s8 with one output row, its input row by
 * row.
 *
 * rows    one pointer, to int8 [in_width][channels]: row `row` of the image
 * state   a sum an output: int32 where is_wide, else int16; [out_width][channels]
 * output  int8 [out_width][channels], quantised like the input; written when the last row of the
 *         window was added
 *
 * The rows of the window that are inside the image are handed over in order.
 *
 * Ranges  as for mcuc_average_pool_2d_s8, with out_height = 1; a window has at most 256 pixels where
 *         not is_wide.
 *
 * Order   The row is read and the state written; at the end the output is written from the state.
 *         State, row and output do not overlap.
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
    uint16_t in_height;
    uint16_t in_width;
    uint16_t out_width;
    uint16_t channels;
    uint16_t filter_height;
    uint16_t filter_width;
    uint16_t stride_w;
    uint16_t pad_top;
    uint16_t pad_left;
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
