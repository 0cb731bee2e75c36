/*
 * mcuc_depthwise_conv_2d_s8__dsp_3x3: mcuc_depthwise_conv_2d_s8 with a 3x3 filter and stride 1 or
 * 2, for the DSP extension.
 *
 * input    int8 [batches][in_height][in_width][channels]
 * output   int8 [batches][out_height][out_width][channels]
 * scratch  4-aligned; 16 * words * rows bytes, where words = even(out_width) * stride / 2 + 1,
 *          rows = (strip_height - 1) * stride + 3, and even() rounds up to an even number
 *
 * Works on four channels and a strip of output rows at a time: the part of the input that they need
 * is split into four planes of int16, border included, where two neighbours in a row make a word.
 *
 * filter   [channels][5]: twice the bias modulo 2^32, with the input's zero point folded in; the
 *          multiplier; then a word a row of the filter, weights from the lowest byte on; the
 *          highest byte of the first row is the right shift. Arithmetic is that of mcuc_dsp.h with
 *          the sign left out: the zero point of the output is -128.
 *
 * A product sum with bias must be within (-2^30, 2^30), whatever the input.
 *
 * Ranges  1 <= sizes; channels a multiple of 4; stride 1 or 2; 0 <= pads <= 2; strip_height even,
 *         at most even(out_height); 1 <= right shift <= 23.
 *
 * Order   Image after image; in it four channels after four; in these strips of strip_height output
 *         rows, the last with what is left. For a strip, the four channels of those input rows are
 *         read that no strip before has read, up to row first output row * stride - pad_top + rows
 *         - 1; then the four channels of the strip's output pixels are written. Other channels are
 *         neither read nor written, so that input and output may overlap when their distance is a
 *         multiple of the number of channels, and no strip writes what a later one reads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DEPTHWISE_CONV_2D_S8__DSP_3X3_H
#define MCUC_DEPTHWISE_CONV_2D_S8__DSP_3X3_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint32_t *filter;
    uint16_t batches;
    uint16_t in_height;
    uint16_t in_width;
    uint16_t out_height;
    uint16_t out_width;
    uint16_t channels;
    uint16_t stride;
    uint16_t strip_height;
    uint16_t pad_top;
    uint16_t pad_left;
    int8_t in_zero_point;
} mcuc_depthwise_conv_2d_s8__dsp_3x3_params;

void mcuc_depthwise_conv_2d_s8__dsp_3x3(const mcuc_depthwise_conv_2d_s8__dsp_3x3_params *p,
                                        const int8_t *input, int8_t *output, void *scratch);

#ifdef __cplusplus
}
#endif

#endif
