/*
 * mcuc_conv_2d_s8__dsp_winograd: a 3x3 convolution with stride 1 in 16 products where 36 are the
 * rule, for the DSP extension; exact.
 *
 * The method of Winograd, F(2x2, 3x3) as in Lavin and Gray, "Fast Algorithms for Convolutional
 * Neural Networks" (2015): filter and input are transformed, multiplied position by position over
 * all channels, and transformed back. With twice their G for the filter everything is an integer,
 * and the result is four times the sum.
 *
 * input    int8 [batches][in_height][in_width][in_channels]
 * output   int8 [batches][out_height][out_width][out_channels]
 * scratch  4-aligned; 64 * in_channels + 512 bytes for two tiles of 2 x 2 outputs, then 24 *
 *          in_channels for their input where it reaches over a border (not there if none does)
 *
 * filter   int16 pairs, [out_channels / 4][16 positions][in_channels / 2][4 outputs]: channels
 *          (0, 2) and (1, 3) of each four. Positions are column after column, in each the rows
 *          1, 0, 2, 3.
 * channels [out_channels][4]: four times the bias modulo 2^32, with the input's zero point folded
 *          in; right shift, multiplier and constant of mcuc_dsp.h; the sign counts.
 *
 * A product sum with bias must be within (-2^29, 2^29), whatever the input.
 *
 * Ranges  1 <= sizes; in_channels and out_channels multiples of 4; out_height a multiple of 2,
 *         out_width of 4; 0 <= pads <= 2; 1 <= right shift <= 23.
 *
 * Order   Blocks of 2 x 4 output pixels in raster order: the 4 x 6 input pixels of a block are read,
 *         then it is written, four channels after four.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CONV_2D_S8__DSP_WINOGRAD_H
#define MCUC_CONV_2D_S8__DSP_WINOGRAD_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint32_t *filter;
    const int32_t *channels;
    uint16_t batches;
    uint16_t in_height;
    uint16_t in_width;
    uint16_t out_height;
    uint16_t out_width;
    uint16_t in_channels;
    uint16_t out_channels;
    uint16_t pad_top;
    uint16_t pad_left;
    int8_t in_zero_point;
} mcuc_conv_2d_s8__dsp_winograd_params;

void mcuc_conv_2d_s8__dsp_winograd(const mcuc_conv_2d_s8__dsp_winograd_params *p,
                                   const int8_t *input, int8_t *output, void *scratch);

#ifdef __cplusplus
}
#endif

#endif
