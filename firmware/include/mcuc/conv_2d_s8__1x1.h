/*
 * mcuc_conv_2d_s8__1x1: the same dense layer for every pixel of int8 images.
 *
 * A convolution with a 1x1 filter, stride 1, one group; also a fully connected layer with a scale
 * for each output.
 *
 * input   int8 [pixels][in_channels]
 * output  int8 [pixels][out_channels]
 *
 * filter  int8. Outputs come in blocks of four, the last block may have fewer; a block of b
 *         outputs is [in_channels][b].
 * bias, multiplier, right_shift  one entry an output channel. The bias has the input's zero point
 *         folded in modulo 2^32: bias - zero point * sum of the channel's weights.
 *
 * Ranges  1 <= pixels; 1 <= in_channels <= 131071; 1 <= out_channels; 0 <= multiplier;
 *         -30 <= right_shift <= 31; -128 <= out_min <= out_max <= 127.
 *
 * Order   Pixels two at a time, ascending; the last alone where their number is odd. Such a step
 *         reads nothing but the inputs of its pixels and writes nothing but their outputs. It does
 *         so in blocks of at most four channels, ascending: for each, the inputs of both pixels are
 *         read, then for each channel of the block the byte of the first pixel is written, then
 *         that of the second. So all inputs of a step are read until the last block is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CONV_2D_S8__1X1_H
#define MCUC_CONV_2D_S8__1X1_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int8_t *filter;
    const int32_t *bias;
    const int32_t *multiplier;
    const int8_t *right_shift;
    int32_t pixels;
    int32_t in_channels;
    int32_t out_channels;
    int8_t out_zero_point;
    int8_t out_min;
    int8_t out_max;
} mcuc_conv_2d_s8__1x1_params;

void mcuc_conv_2d_s8__1x1(const mcuc_conv_2d_s8__1x1_params *p, const int8_t *input,
                          int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
