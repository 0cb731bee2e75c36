/*
 * mcuc_conv_2d_f32: 2-D convolution of float images, any stride, dilation, padding and groups.
 *
 * input   float [batches][in_height][in_width][groups * group_in_channels]
 * output  float [batches][out_height][out_width][groups * group_out_channels]
 *
 * filter  float [groups * group_out_channels][filter_height][filter_width][group_in_channels]
 * bias  one entry an output channel. It is added when all products have been.
 *
 * Taps outside the image count as 0.
 *
 * Ranges  1 <= sizes, strides, dilations; 0 <= pads; all offsets below 2^31; out_min <= out_max.
 *
 * Order   Output pixels in raster order, and in each its channels, ascending: the taps of the
 *         window that lie inside the image are read, then the channel is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CONV_2D_F32_H
#define MCUC_CONV_2D_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const float *filter;
    const float *bias;
    int32_t batches;
    int32_t in_height;
    int32_t in_width;
    int32_t out_height;
    int32_t out_width;
    int32_t groups;
    int32_t group_in_channels;
    int32_t group_out_channels;
    int32_t filter_height;
    int32_t filter_width;
    int32_t stride_h;
    int32_t stride_w;
    int32_t dilation_h;
    int32_t dilation_w;
    int32_t pad_top;
    int32_t pad_left;
    float out_min;
    float out_max;
} mcuc_conv_2d_f32_params;

void mcuc_conv_2d_f32(const mcuc_conv_2d_f32_params *p, const float *input, float *output);

#ifdef __cplusplus
}
#endif

#endif
