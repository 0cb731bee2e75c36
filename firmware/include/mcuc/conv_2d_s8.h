/*
 * mcuc_conv_2d_s8: 2-D convolution of int8 images, any stride, dilation, padding and groups.
 *
 * input   int8 [batches][in_height][in_width][groups * group_in_channels]
 * output  int8 [batches][out_height][out_width][groups * group_out_channels]
 *
 * filter  int8, group after group. The outputs of a group come in blocks of four, the last block
 *         may have fewer; a block of b outputs is [filter_height][filter_width]
 *         [group_in_channels][b]. No padding: as many bytes as the weights have.
 * bias, multiplier, right_shift  one entry an output channel. The bias has the input's zero point
 *         folded in modulo 2^32: bias - in_zero_point * sum of the channel's weights. Taps outside
 *         the image count as in_zero_point.
 *
 * Ranges  1 <= sizes, strides, dilations <= 32767; 0 <= pads <= 32767;
 *         filter_height * filter_width * group_in_channels <= 131071; 0 <= multiplier;
 *         -30 <= right_shift <= 31; -128 <= out_min <= out_max <= 127.
 *
 * Order   Output pixels are computed in raster order, one at a time or, where two neighbours in a
 *         row have the same taps inside the image, two together. Such a step reads nothing but the
 *         windows of its one or two pixels and writes nothing but them. It does so in blocks of at
 *         most four channels, ascending: for each, the group's channels of the window(s) are read,
 *         then for each channel of the block the byte of the first pixel is written, then that of
 *         the second. So all inputs of a step are read until the last block's bytes are written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CONV_2D_S8_H
#define MCUC_CONV_2D_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int8_t *filter;
    const int32_t *bias;
    const int32_t *multiplier;
    const int8_t *right_shift;
    uint16_t batches;
    uint16_t in_height;
    uint16_t in_width;
    uint16_t out_height;
    uint16_t out_width;
    uint16_t groups;
    uint16_t group_in_channels;
    uint16_t group_out_channels;
    uint16_t filter_height;
    uint16_t filter_width;
    uint16_t stride_h;
    uint16_t stride_w;
    uint16_t dilation_h;
    uint16_t dilation_w;
    uint16_t pad_top;
    uint16_t pad_left;
    int8_t in_zero_point;
    int8_t out_zero_point;
    int8_t out_min;
    int8_t out_max;
} mcuc_conv_2d_s8_params;

void mcuc_conv_2d_s8(const mcuc_conv_2d_s8_params *p, const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
