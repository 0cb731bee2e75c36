/*
 * mcuc_transpose_conv_s16: transposed 2-D convolution of int16 images.
 *
 * input   int16 [batches][in_height][in_width][in_channels]
 * output  int16 [batches][out_height][out_width][out_channels]
 *
 * filter  int8 [out_channels][filter_height][filter_width][in_channels]
 * bias, multiplier, right_shift  one entry an output channel.
 *
 * Sums are int64. They take multiplier < 2^15 and a right shift in one step, rounded half up.
 *
 * The pixel y of the input reaches the pixels y * stride_h - pad_top + tap of the output, likewise
 * along rows.
 *
 * Ranges  1 <= sizes, strides; 0 <= pads; all offsets below 2^31; 8 <= right_shift <= 46; -32768
 *         <= out_min <= out_max <= 32767.
 *
 * Order   Output pixels in raster order, and in each its channels, ascending: the inputs that
 *         reach it are read in raster order, then the channel is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_TRANSPOSE_CONV_S16_H
#define MCUC_TRANSPOSE_CONV_S16_H

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
    int32_t in_channels;
    int32_t out_height;
    int32_t out_width;
    int32_t out_channels;
    int32_t filter_height;
    int32_t filter_width;
    int32_t stride_h;
    int32_t stride_w;
    int32_t pad_top;
    int32_t pad_left;
    int32_t out_min;
    int32_t out_max;
} mcuc_transpose_conv_s16_params;

void mcuc_transpose_conv_s16(const mcuc_transpose_conv_s16_params *p, const int16_t *input,
                             int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
