/*
 * mcuc_conv_2d_s16: 2-D convolution of int16 images, any stride, dilation, padding and groups.
 *
 * input   int16 [batches][in_height][in_width][groups * group_in_channels]
 * output  int16 [batches][out_height][out_width][groups * group_out_channels]
 *
 * filter  int8 [groups * group_out_channels][filter_height][filter_width][group_in_channels]
 * bias, multiplier, right_shift  one entry an output channel.
 *
 * Sums are int64. Where is_wide is 1 they take multiplier < 2^15 and a right shift in one step,
 * rounded half up; where it is 0 they are cut to 32 bits first and scaled as sums of int8 are.
 *
 * Taps outside the image count as 0.
 *
 * Ranges  1 <= sizes, strides, dilations; 0 <= pads; all offsets below 2^31; 8 <= right_shift <=
 *         46 where is_wide, else -30 <= right_shift <= 31; -32768 <= out_min <= out_max <= 32767.
 *
 * Order   Output pixels in raster order, and in each its channels, ascending: the taps of the
 *         window that lie inside the image are read, then the channel is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CONV_2D_S16_H
#define MCUC_CONV_2D_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int8_t *filter;
    const int64_t *bias;
    const int32_t *multiplier;
    const int8_t *right_shift;
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
    int32_t out_min;
    int32_t out_max;
    uint8_t is_wide;
} mcuc_conv_2d_s16_params;

void mcuc_conv_2d_s16(const mcuc_conv_2d_s16_params *p, const int16_t *input, int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
