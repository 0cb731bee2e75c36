/*
 * mcuc_pool_2d_f32: the mean or maximum of each channel in a window of the image.
 *
 * input   float [batches][in_height][in_width][channels]
 * output  float [batches][out_height][out_width][channels]
 *
 * operation is 'm' (mean), '>' (maximum) or '2' (root of the mean square). Pixels outside the
 * image do not count.
 *
 * Ranges  1 <= sizes, strides; 0 <= pads, so that each window has a pixel inside the image;
 *         out_min <= out_max.
 *
 * Order   Output pixels in raster order, and in each its channels, ascending: the channel is read
 *         in the part of the window that is inside the image, then written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_POOL_2D_F32_H
#define MCUC_POOL_2D_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t batches;
    int32_t in_height;
    int32_t in_width;
    int32_t out_height;
    int32_t out_width;
    int32_t channels;
    int32_t filter_height;
    int32_t filter_width;
    int32_t stride_h;
    int32_t stride_w;
    int32_t pad_top;
    int32_t pad_left;
    float out_min;
    float out_max;
    uint8_t operation;
} mcuc_pool_2d_f32_params;

void mcuc_pool_2d_f32(const mcuc_pool_2d_f32_params *p, const float *input, float *output);

#ifdef __cplusplus
}
#endif

#endif
