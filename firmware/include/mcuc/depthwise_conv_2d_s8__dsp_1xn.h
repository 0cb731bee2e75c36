/*
 * mcuc_depthwise_conv_2d_s8__dsp_1xn: mcuc_depthwise_conv_2d_s8 along rows, for the DSP extension.
 *
 * The filter is one row, without stride or dilation: a sequence is such an image.
 *
 * input    int8 [rows][in_width][channels]
 * output   int8 [rows][out_width][channels]
 * scratch  4-aligned; 16 * words + 8 * filter_words bytes, where filter_words = taps / 2 + 1 and
 *          words = (out_width rounded up to a multiple of 4) / 2 + filter_words - 1
 *
 * filter   int8 [channels][taps]
 * scaling  [channels][3]: twice the bias modulo 2^32, with the input's zero point folded in; then
 *          multiplier and right shift of mcuc_dsp.h; the sign counts.
 *
 * A product sum with bias must be within (-2^30, 2^30), whatever the input.
 *
 * Ranges  1 <= sizes; channels a multiple of 4; 0 <= pad_left; 1 <= right shift <= 23.
 *
 * Order   Row after row; in it four channels after four: they are read in the whole row, then they
 *         are written in the whole row. Other channels are neither read nor written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DEPTHWISE_CONV_2D_S8__DSP_1XN_H
#define MCUC_DEPTHWISE_CONV_2D_S8__DSP_1XN_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int8_t *filter;
    const int32_t *scaling;
    int32_t rows;
    uint16_t in_width;
    uint16_t out_width;
    uint16_t channels;
    uint16_t taps;
    uint16_t pad_left;
    int8_t in_zero_point;
    int8_t out_zero_point;
} mcuc_depthwise_conv_2d_s8__dsp_1xn_params;

void mcuc_depthwise_conv_2d_s8__dsp_1xn(const mcuc_depthwise_conv_2d_s8__dsp_1xn_params *p,
                                        const int8_t *input, int8_t *output, void *scratch);

#ifdef __cplusplus
}
#endif

#endif
