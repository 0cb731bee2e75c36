/*
 * mcuc_conv_2d_s8__dsp: mcuc_conv_2d_s8 and mcuc_conv_2d_s8__1x1 with one group, for the DSP
 * extension.
 *
 * input    int8 [batches][in_height][in_width][in_channels]
 * output   int8 [batches][out_height][out_width][out_channels]
 * scratch  4-aligned; (4 * filter_height + edges) * row bytes, where
 *          row = filter_width * in_channels, rounded up to a multiple of 4, and edges = 2 if an
 *          odd pixel (0, 1, .. in raster order) is at a border, else 1 if any pixel is, else 0. At
 *          a border the window is not inside the image; where row was rounded up, also less than
 *          three pixels follow it in its rows. A last pixel that is even counts as odd too.
 *
 * The terms of an output are the rows of its filter, each filled up with zero weights to `row`
 * terms; outputs are filled up to a multiple of four. Four outputs a, b, c, d have, for terms
 * 4i..4i+3, the words of pairs (4i, 4i+2) and (4i+1, 4i+3), each as two halfwords, low first:
 *
 * filter    [ceil(out_channels / 4)][filter_height * row / 2 pairs][2]: first 256 * b + a of both
 *           terms, then 256 * d + c. All must fit int16.
 * channels  [ceil(out_channels / 4)][16]: the biases A, 256 * B + A, C, 256 * D + C modulo 2^32,
 *           where A..D have the input's zero point folded in; then for each of a..d right shift,
 *           multiplier and constant, as mcuc_dsp.h says. Where is_linear is 0, the zero point is
 *           -128, and b and d have their right shift larger by 7 and the constant 128 c + 64:
 *           their sums come multiplied by 256, and without the first rounding.
 *
 * A product sum with bias must be within (-2^30, 2^30) for a and c, (-2^23, 2^23) for b and d,
 * whatever the input.
 *
 * Ranges  1 <= sizes, strides, dilation_h; 0 <= pads; 1 <= right shift <= 23.
 *
 * Order   Output pixels two at a time, in raster order, also across rows; the last alone where
 *         their number is odd. All that is read of the windows of both is read, then both are
 *         written, four channels of each at a time. Beside their windows at most 3 bytes that
 *         follow a row of a window, inside the image, are read and do not matter.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CONV_2D_S8__DSP_H
#define MCUC_CONV_2D_S8__DSP_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint32_t *filter;
    const int32_t *channels;
    int32_t batches;
    int32_t in_width;
    int32_t out_width;
    uint16_t in_height;
    uint16_t out_height;
    uint16_t filter_height;
    uint16_t filter_width;
    int32_t in_channels;
    int32_t out_channels;
    uint16_t stride_h;
    uint16_t stride_w;
    uint16_t dilation_h;
    uint16_t pad_top;
    uint16_t pad_left;
    int8_t in_zero_point;
    int8_t is_linear;
} mcuc_conv_2d_s8__dsp_params;

void mcuc_conv_2d_s8__dsp(const mcuc_conv_2d_s8__dsp_params *p, const int8_t *input, int8_t *output,
                          void *scratch);

#ifdef __cplusplus
}
#endif

#endif
