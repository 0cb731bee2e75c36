/*
 * mcuc_resize_bilinear_s8__rows: one output row of mcuc_resize_bilinear_s8; the input rows lie
 * anywhere.
 *
 * rows    two pointers to int8 [in_width][channels]: the input rows above and below; where the
 *         output row is at one of them, both may be that row
 * output  int8 [out_width][channels]
 * row     the output row, which lies row_fraction[row] / 1024 of the way from the one to the other
 *
 * Columns: output pixel i lies between the input's low[i] and high[i], with weights
 * 1024 - fraction[i] and fraction[i].
 *
 * Ranges  1 <= sizes; -512 <= fractions <= 1024; indices lie inside the row.
 *
 * Order   Output pixels from left to right: for each channel, the four pixels are read, then it is
 *         written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_RESIZE_BILINEAR_S8__ROWS_H
#define MCUC_RESIZE_BILINEAR_S8__ROWS_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int16_t *row_fraction;
    const int16_t *low;
    const int16_t *high;
    const int16_t *fraction;
    int32_t out_width;
    int32_t channels;
} mcuc_resize_bilinear_s8__rows_params;

void mcuc_resize_bilinear_s8__rows(const mcuc_resize_bilinear_s8__rows_params *p,
                                   const void *const *rows, void *output, int32_t row);

#ifdef __cplusplus
}
#endif

#endif
