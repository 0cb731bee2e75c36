/*
 * mcuc_conv_2d_s8__row_sums: mcuc_conv_2d_s8 with one output row, its input row by row.
 *
 * rows    one pointer, to int8 [in_width][groups * group_in_channels]: row `row` of the image
 * state   int32 [out_width][groups * group_out_channels]
 * output  int8 [out_width][groups * group_out_channels]; written when the last row under the filter
 *         was added
 *
 * The rows under the filter that are inside the image are handed over in order. A fully connected
 * layer of an image is one, with a filter of the image's size.
 *
 * filter, bias, multiplier, right_shift  as for mcuc_conv_2d_s8.
 * border  a row of in_zero_point; NULL where no tap is outside the image.
 *
 * Ranges  as for mcuc_conv_2d_s8, with out_height = 1.
 *
 * Order   The row is read and the state written; at the end the output is written from the state.
 *         State, row and output do not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CONV_2D_S8__ROW_SUMS_H
#define MCUC_CONV_2D_S8__ROW_SUMS_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int8_t *filter;
    const int32_t *bias;
    const int32_t *multiplier;
    const int8_t *right_shift;
    const int8_t *border;
    uint16_t in_height;
    uint16_t in_width;
    uint16_t out_width;
    uint16_t groups;
    uint16_t group_in_channels;
    uint16_t group_out_channels;
    uint16_t filter_height;
    uint16_t filter_width;
    uint16_t stride_w;
    uint16_t dilation_h;
    uint16_t dilation_w;
    uint16_t pad_top;
    uint16_t pad_left;
    int8_t out_zero_point;
    int8_t out_min;
    int8_t out_max;
} mcuc_conv_2d_s8__row_sums_params;

void mcuc_conv_2d_s8__row_sums(const mcuc_conv_2d_s8__row_sums_params *p, const void *const *rows,
                               void *state, void *output, int32_t row);

#ifdef __cplusplus
}
#endif

#endif
