/*
 * mcuc_max_pool_2d_s8__rows: one output row of mcuc_max_pool_2d_s8; the input rows lie anywhere.
 *
 * rows    filter_height pointers to int8 [in_width][channels]: the input rows of the window, NULL
 *         for one that is outside the image
 * output  int8 [out_width][channels], quantised like the input
 *
 * Pixels outside the image do not count.
 *
 * Ranges  as for mcuc_max_pool_2d_s8
 *
 * Order   Output pixels one at a time, from left to right. For each channel, ascending: reads the
 *         channel in the part of the window that is inside the image, then writes it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_MAX_POOL_2D_S8__ROWS_H
#define MCUC_MAX_POOL_2D_S8__ROWS_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint16_t in_width;
    uint16_t out_width;
    uint16_t channels;
    uint16_t filter_height;
    uint16_t filter_width;
    uint16_t stride_w;
    uint16_t pad_left;
    int8_t out_min;
    int8_t out_max;
} mcuc_max_pool_2d_s8__rows_params;

void mcuc_max_pool_2d_s8__rows(const mcuc_max_pool_2d_s8__rows_params *p, const void *const *rows,
                               void *output);

#ifdef __cplusplus
}
#endif

#endif
