/*
 * mcuc_depthwise_conv_2d_s8__row_sums: see mcuc/depthwise_conv_2d_s8__row_sums.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/depthwise_conv_2d_s8__row_sums.h"

#include <string.h>

#include "mcuc_math.h"
#include "mcuc_window.h"

typedef mcuc_depthwise_conv_2d_s8__row_sums_params params;

/* Adds what filter row ky makes of an input row, or of a row outside the image (NULL). */
static void add_row(const params *p, const int8_t *row, int32_t ky, int32_t *state)
{
    int32_t channels = p->channels;
    const int8_t *w_row = p->filter + ky * p->filter_width * channels;

    for (int32_t x = 0; x < p->out_width; x++, state += channels) {
        int32_t at = x * p->stride_w - p->pad_left;
        const int8_t *w = w_row;
        for (int32_t kx = 0; kx < p->filter_width; kx++, at += p->dilation_w, w += channels) {
            if (row == NULL || at < 0 || at >= p->in_width) {
                for (int32_t i = 0; i < channels; i++) {
                    state[i] += w[i] * p->in_zero_point;
                }
            } else {
                const int8_t *from = row + at * channels;
                for (int32_t i = 0; i < channels; i++) {
                    state[i] += w[i] * from[i];
                }
            }
        }
    }
}

static void requantize(const params *p, const int32_t *state, int8_t *output)
{
    for (int32_t x = 0; x < p->out_width; x++) {
        for (int32_t i = 0; i < p->channels; i++) {
            *output++ =
                mcuc_requantize((uint32_t)*state++ + (uint32_t)p->bias[i], p->multiplier[i],
                                p->right_shift[i], p->out_zero_point, p->out_min, p->out_max);
        }
    }
}

void mcuc_depthwise_conv_2d_s8__row_sums(const mcuc_depthwise_conv_2d_s8__row_sums_params *p,
                                         const void *const *rows, void *state, void *output,
                                         int32_t row)
{
    mcuc_taps taps =
        mcuc_taps_inside(-(int32_t)p->pad_top, p->filter_height, p->dilation_h, p->in_height);
    int32_t ky = (row - taps.start) / p->dilation_h;
    int32_t *sums = (int32_t *)state;

    if (ky == taps.begin) {
        (void)memset(sums, 0, (size_t)p->out_width * p->channels * sizeof(int32_t));
        for (int32_t outside = 0; outside < p->filter_height; outside++) {
            if (outside < taps.begin || outside >= taps.end) {
                add_row(p, NULL, outside, sums);
            }
        }
    }
    add_row(p, (const int8_t *)rows[0], ky, sums);
    if (ky == taps.end - 1) {
        requantize(p, sums, (int8_t *)output);
    }
}
