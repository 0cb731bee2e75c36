/*
 * mcuc_max_pool_2d_s8__dsp: mcuc_max_pool_2d_s8 for the DSP extension, without an activation.
 *
 * input   int8 [batches][in_height][in_width][channels]
 * output  int8 [batches][out_height][out_width][channels], quantised like the input
 *
 * Pixels outside the image do not count.
 *
 * Ranges  1 <= sizes, strides <= 32767; 0 <= pads <= 32767, so that each window has a pixel inside
 *         the image; channels a multiple of 4.
 *
 * Order   Output pixels one at a time, in raster order. For four channels after four: reads them in
 *         the part of the window that is inside the image, then writes them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_MAX_POOL_2D_S8__DSP_H
#define MCUC_MAX_POOL_2D_S8__DSP_H

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
} mcuc_max_pool_2d_s8__dsp_params;

void mcuc_max_pool_2d_s8__dsp(const mcuc_max_pool_2d_s8__dsp_params *p, const int8_t *input,
                              int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
