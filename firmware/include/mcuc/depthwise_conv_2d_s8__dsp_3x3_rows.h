/*
 * mcuc_depthwise_conv_2d_s8__dsp_3x3_rows: one output row of mcuc_depthwise_conv_2d_s8__dsp_3x3; the
 * input rows lie anywhere.
 *
 * rows     three pointers to int8 [in_width][channels]: the input rows under the filter. One that is
 *          outside the image points to a row of in_zero_point.
 * output   int8 [out_width][channels]
 * scratch  4-aligned; 48 * words bytes, where words = even(out_width) * stride / 2 + 1, and even()
 *          rounds up to an even number
 *
 * filter, and what sums must keep to  as for mcuc_depthwise_conv_2d_s8__dsp_3x3.
 *
 * Ranges   1 <= sizes; channels a multiple of 4; stride 1 or 2; 0 <= pad_left <= 2.
 *
 * Order    Four channels after four: they are read in all three rows, then written. Other channels
 *          are neither read nor written, so that the output may lie exactly on an input row.
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
    const mcuc_depthwise_conv_2d_s8__dsp_3x3_rows_params *p, const void *const *rows, void *output,
    void *scratch);

#ifdef __cplusplus
}
#endif

#endif
