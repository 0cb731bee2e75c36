/*
 * mcuc_depthwise_conv_2d_s8__rows: one output row of mcuc_depthwise_conv_2d_s8; the input rows lie
 * anywhere.
 *
 * rows    filter_height pointers to int8 [in_width][channels]: the input rows under the filter. One
 *         that is outside the image points to a row of in_zero_point.
 * output  int8 [out_width][channels]
 * scratch `held` pixels of the output; not used where held = 0.
 *
 * filter, bias, multiplier, right_shift  as for mcuc_depthwise_conv_2d_s8.
 *
 * Ranges  as for mcuc_depthwise_conv_2d_s8; held <= 32767.
 *
 * Order   Output pixels from left to right, one at a time, in blocks of at most four channels,
 *         ascending. For each block only these channels of the window are read; then, where
 *         held = 0, they are written. Else they are kept in scratch, and those of the pixel `held`
 *         before are written. The last `held` pixels are written when nothing is read any more.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DEPTHWISE_CONV_2D_S8__ROWS_H
#define MCUC_DEPTHWISE_CONV_2D_S8__ROWS_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int8_t *filter;
    const int32_t *bias;
    const int32_t *multiplier;
    const int8_t *right_shift;
    uint16_t in_width;
    uint16_t out_width;
    uint16_t channels;
    uint16_t filter_height;
    uint16_t filter_width;
    uint16_t stride_w;
    uint16_t dilation_w;
    uint16_t pad_left;
    uint16_t held;
    int8_t in_zero_point;
    int8_t out_zero_point;
    int8_t out_min;
    int8_t out_max;
} mcuc_depthwise_conv_2d_s8__rows_params;

void mcuc_depthwise_conv_2d_s8__rows(const mcuc_depthwise_conv_2d_s8__rows_params *p,
                                     const void *const *rows, void *output, void *scratch);

#ifdef __cplusplus
}
#endif

#endif
