/*
 * mcuc_conv_2d_s8_u8: 2-D convolution of int8 images with a filter of uint8.
 *
 * input   int8 [batches][in_height][in_width][groups * group_in_channels]
 * output  int8 [batches][out_height][out_width][groups * group_out_channels]
 *
 * filter  uint8 [groups * group_out_channels][filter_height][filter_width][group_in_channels]
 * bias, multiplier, right_shift  one entry an output channel.
 *
 * Inputs and weights count less their zero points, taps outside the image as 0. Sums are modulo 2^32.
 *
 * Ranges  1 <= sizes, strides, dilations; 0 <= pads; all offsets below 2^31; -30 <= right_shift <= 31;
 *         0 <= filter_zero_point <= 255; -128 <= out_min <= out_max <= 127.
 *
 * Order   Output pixels in raster order, and in each its channels, ascending: the taps of the
 *         window that lie inside the image are read, then the channel is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CONV_2D_S8_U8_H
#define MCUC_CONV_2D_S8_U8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint8_t *filter;
    const int32_t *bias;
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
    int32_t in_zero_point;
    int32_t filter_zero_point;
    int32_t out_zero_point;
    int32_t out_min;
    int32_t out_max;
} mcuc_conv_2d_s8_u8_params;

void mcuc_conv_2d_s8_u8(const mcuc_conv_2d_s8_u8_params *p, const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
