/*
 * mcuc_average_pool_2d_s8: the mean of each channel in a window of the image.
 *
 * input   int8 [batches][in_height][in_width][channels]
 * output  int8 [batches][out_height][out_width][channels], quantised like the input
 *
 * Pixels outside the image do not count: the sum is divided by the number of those inside,
 * rounded half away from zero.
 *
 * Ranges  1 <= sizes, strides <= 32767; 0 <= pads <= 32767, so that each window has a pixel inside
 *         the image; filter_height * filter_width < 2^24; -128 <= out_min <= out_max <= 127.
 *
 * Order   Output pixels one at a time, in raster order. For each channel, ascending: reads the
 *         channel in the part of the window that is inside the image, then writes it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_AVERAGE_POOL_2D_S8_H
#define MCUC_AVERAGE_POOL_2D_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint16_t batches;
    uint16_t in_height;
    uint16_t in_width;
    uint16_t out_height;
    uint16_t out_width;
    uint16_t channels;
    uint16_t filter_height;
    uint16_t filter_width;
    uint16_t stride_h;
    uint16_t stride_w;
    uint16_t pad_top;
    uint16_t pad_left;
    int8_t out_min;
    int8_t out_max;
} mcuc_average_pool_2d_s8_params;

void mcuc_average_pool_2d_s8(const mcuc_average_pool_2d_s8_params *p, const int8_t *input,
                             int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
