/*
 * mcuc_depthwise_conv_2d_s8__dsp: mcuc_depthwise_conv_2d_s8 without dilation, for the DSP
 * extension; strides along a row are 1 or 2.
 *
 * input    int8 [batches][in_height][in_width][channels]
 * output   int8 [batches][out_height][out_width][channels]
 * scratch  4-aligned; 16 * filter_height * (words + 2 * filter_words) bytes, where filter_words =
 *          filter_width / 2 + 1 and words = 4 * ceil(out_width / 4) * stride_w / 2 + filter_words
 *          - 1
 *
 * Works on four channels at a time: filter_height rows of the input, as pairs of int16 for each
 * channel, and the filters of the channels.
 *
 * filter   int8 [channels][filter_height][filter_width]
 * scaling  [channels][3]: twice the bias modulo 2^32, with the input's zero point folded in; then
 *          multiplier and right shift of mcuc_dsp.h; the sign counts.
 *
 * A product sum with bias must be within (-2^30, 2^30), whatever the input.
 *
 * Ranges  1 <= sizes, stride_h; stride_w 1 or 2; channels a multiple of 4; 0 <= pads; 1 <= right
 *         shift <= 23.
 *
 * Order   Image after image; in it four channels after four, in these output row after output row:
 *         the four channels of those input rows of its windows are read that were not read before,
 *         then they are written in the whole row. Other channels are neither read nor written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DEPTHWISE_CONV_2D_S8__DSP_H
#define MCUC_DEPTHWISE_CONV_2D_S8__DSP_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int8_t *filter;
    const int32_t *scaling;
    uint16_t batches;
    uint16_t in_height;
    uint16_t in_width;
    uint16_t out_height;
    uint16_t out_width;
    uint16_t channels;
    uint16_t filter_height;
    uint16_t filter_width;
    uint16_t stride_h;
    uint16_t stride_w;
    uint16_t pad_top;
    uint16_t pad_left;
    int8_t in_zero_point;
    int8_t out_zero_point;
} mcuc_depthwise_conv_2d_s8__dsp_params;

void mcuc_depthwise_conv_2d_s8__dsp(const mcuc_depthwise_conv_2d_s8__dsp_params *p,
                                    const int8_t *input, int8_t *output, void *scratch);

#ifdef __cplusplus
}
#endif

#endif
