/*
 * mcuc_depthwise_conv_2d_s8__dsp_3x3_rows: one output row of mcuc_depthwise_conv_2d_s8__dsp_3x3; the
 * input rows lie anywhere, and there is no scratch.
 *
 * rows     three pointers to int8 [in_width][channels]: the input rows under the filter. One that is
 *          outside the image points to a row of in_zero_point.
 * output   int8 [out_width][channels]
 *
 * filter   [channels][7]: the filter's columns 0, 1, 2, of each row 0 in the low half and row 1 in
 *          the high half; row 2 of columns 0 and 1; row 2 of column 2, and the right shift in the
 *          high half; twice the bias modulo 2^32, with the input's zero point folded in; the
 *          multiplier. Weights are doubled, as int16. Arithmetic is that of mcuc_dsp.h with the
 *          sign left out: the zero point of the output is -128.
 *
 * A product sum with bias must be within (-2^30, 2^30), whatever the input.
 *
 * Ranges   1 <= sizes; stride 1 or 2; 0 <= pad_left <= 2; 1 <= right shift <= 23.
 *
 * Order    A channel after the other; in these pixels from left to right. Of each the channel's
 *          window is read before it is written, and no pixel of the channel is read again after its
 *          place is written. Other channels are neither read nor written, so that the output may
 *          lie exactly on an input row.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DEPTHWISE_CONV_2D_S8__DSP_3X3_ROWS_H
#define MCUC_DEPTHWISE_CONV_2D_S8__DSP_3X3_ROWS_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint32_t *filter;
    uint16_t in_width;
    uint16_t out_width;
    uint16_t channels;
    uint16_t stride;
    uint16_t pad_left;
    int8_t in_zero_point;
} mcuc_depthwise_conv_2d_s8__dsp_3x3_rows_params;

void mcuc_depthwise_conv_2d_s8__dsp_3x3_rows(
    const mcuc_depthwise_conv_2d_s8__dsp_3x3_rows_params *p, const void *const *rows, void *output);

#ifdef __cplusplus
}
#endif

#endif
