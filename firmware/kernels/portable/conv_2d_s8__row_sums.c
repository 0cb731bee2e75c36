/*
 * mcuc_conv_2d_s8__row_sums: see mcuc/conv_2d_s8__row_sums.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_s8__row_sums.h"

#include <string.h>

#include "mcuc_dot.h"
#include "mcuc_window.h"

typedef mcuc_conv_2d_s8__row_sums_params params;

/* Adds the products of the runs from x on to the sums of `lanes` outputs. */
static MCUC_NOINLINE void add_runs(const mcuc_runs *runs, const int8_t *x, const int8_t *w,
                                   int32_t lanes, int32_t *sum)
{
    static const int32_t start[4];
    mcuc_sums part;

    mcuc_dot_block(runs, x, 0, 1, w, lanes, start, &part);
    for (int32_t i = 0; i < lanes; i++) {
        sum[i] += part.first[i];
    }
}

/* Adds what filter row ky makes of an input row to the sums of one pixel. */
static void add_pixel(const params *p, const mcuc_taps *cols, const int8_t *row, int32_t ky,
                      int32_t *sum)
{
    int32_t in_channels = p->groups * p->group_in_channels;
    int32_t inside = cols->end - cols->begin;
    int32_t at = (cols->start + cols->begin * p->dilation_w) * in_channels;
    mcuc_runs within = {1, inside, p->group_in_channels, 0, 0, 0};
    mcuc_runs outside = {1, 0, p->group_in_channels, -(int32_t)p->group_in_channels, 0, 0};
    const int8_t *w = p->filter;

    within.x_col = p->dilation_w * in_channels - within.length;
    for (int32_t group = 0; group < p->groups; group++, at += p->group_in_channels) {
        int32_t left = p->group_out_channels;
        while (left > 0) {
            int32_t lanes = left < 4 ? left : 4;
            int32_t tap = p->group_in_channels * lanes;
            const int8_t *w_row = w + ky * p->filter_width * tap;
            if (cols->begin > 0) {
                outside.cols = cols->begin;
                add_runs(&outside, p->border, w_row, lanes, sum);
            }
            if (inside > 0) {
                add_runs(&within, row + at, w_row + cols->begin * tap, lanes, sum);
            }
            if (cols->end < p->filter_width) {
                outside.cols = p->filter_width - cols->end;
                add_runs(&outside, p->border, w_row + cols->end * tap, lanes, sum);
            }
            w += p->filter_height * p->filter_width * tap;
            sum += lanes;
            left -= lanes;
        }
    }
}

/* The same for all pixels of the output row. */
static void add_row(const params *p, const int8_t *row, int32_t ky, int32_t *state)
{
    for (int32_t x = 0; x < p->out_width; x++) {
        mcuc_taps cols = mcuc_taps_inside(x * p->stride_w - p->pad_left, p->filter_width,
                                          p->dilation_w, p->in_width);
        add_pixel(p, &cols, row, ky, state);
        state += p->groups * p->group_out_channels;
    }
}

static void requantize(const params *p, const int32_t *state, int8_t *output)
{
    for (int32_t x = 0; x < p->out_width; x++) {
        for (int32_t i = 0; i < p->groups * p->group_out_channels; i++) {
            *output++ =
                mcuc_requantize((uint32_t)*state++ + (uint32_t)p->bias[i], p->multiplier[i],
                                p->right_shift[i], p->out_zero_point, p->out_min, p->out_max);
        }
    }
}

void mcuc_conv_2d_s8__row_sums(const mcuc_conv_2d_s8__row_sums_params *p, const void *const *rows,
                               void *state, void *output, int32_t row)
{
    mcuc_taps taps =
        mcuc_taps_inside(-(int32_t)p->pad_top, p->filter_height, p->dilation_h, p->in_height);
    int32_t ky = (row - taps.start) / p->dilation_h;
    int32_t *sums = (int32_t *)state;

    if (ky == taps.begin) {
        size_t outputs = (size_t)p->out_width * p->groups * p->group_out_channels;
        (void)memset(sums, 0, outputs * sizeof(int32_t));
        for (int32_t outside = 0; outside < p->filter_height; outside++) {
            if (outside < taps.begin || outside >= taps.end) {
                add_row(p, p->border, outside, sums);
            }
        }
    }
    add_row(p, (const int8_t *)rows[0], ky, sums);
    if (ky == taps.end - 1) {
        requantize(p, sums, (int8_t *)output);
    }
}
