/*
 * mcuc_conv_2d_s8__dsp_rows: one output row of mcuc_conv_2d_s8__dsp; the input rows lie anywhere.
 *
 * rows     filter_height pointers to int8 [in_width][in_channels]: the input rows under the filter.
 *          One that is outside the image points to a row of in_zero_point.
 * output   int8 [out_width][out_channels]
 * scratch  4-aligned, as mcuc_conv_2d_s8__dsp needs it for an image of one output row
 *
 * filter, channels, is_linear, and what sums must keep to  as for mcuc_conv_2d_s8__dsp.
 *
 * Ranges   1 <= sizes, strides; 0 <= pad_left.
 *
 * Order    Output pixels two at a time, from left to right; the last alone where their number is
 *          odd. All that is read of the windows of both is read, then both are written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CONV_2D_S8__DSP_ROWS_H
#define MCUC_CONV_2D_S8__DSP_ROWS_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint32_t *filter;
    const int32_t *channels;
    int32_t in_width;
    int32_t out_width;
    int32_t in_channels;
    int32_t out_channels;
    uint16_t filter_height;
    uint16_t filter_width;
    uint16_t stride_w;
    uint16_t pad_left;
    int8_t in_zero_point;
    int8_t is_linear;
} mcuc_conv_2d_s8__dsp_rows_params;

void mcuc_conv_2d_s8__dsp_rows(const mcuc_conv_2d_s8__dsp_rows_params *p, const void *const *rows,
                               void *output, void *scratch);

#ifdef __cplusplus
}
#endif

#endif
