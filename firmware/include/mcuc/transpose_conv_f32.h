/*
 * mcuc_transpose_conv_f32: transposed 2-D convolution of float images.
 *
 * input   float [batches][in_height][in_width][in_channels]
 * output  float [batches][out_height][out_width][out_channels]
 *
 * filter  float [out_channels][filter_height][filter_width][in_channels]
 * bias  one entry an output channel. It is added when all products have been.
 *
 * The pixel y of the input reaches the pixels y * stride_h - pad_top + tap of the output, likewise
 * along rows.
 *
 * Ranges  1 <= sizes, strides; 0 <= pads; all offsets below 2^31; out_min <= out_max.
 *
 * Order   Output pixels in raster order, and in each its channels, ascending: the inputs that
 *         reach it are read in raster order, then the channel is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_TRANSPOSE_CONV_F32_H
#define MCUC_TRANSPOSE_CONV_F32_H

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
    float out_min;
    float out_max;
} mcuc_transpose_conv_f32_params;

void mcuc_transpose_conv_f32(const mcuc_transpose_conv_f32_params *p, const float *input,
                             float *output);

#ifdef __cplusplus
}
#endif

#endif
