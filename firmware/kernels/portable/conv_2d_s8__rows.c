/*
 * mcuc_conv_2d_s8__rows: see mcuc/conv_2d_s8__rows.h.
 *
 * Each filter row adds its part to the sums: its taps inside the image are runs of the input row,
 * those left and right of it runs over one pixel of the border.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_s8__rows.h"

#include <string.h>

#include "mcuc_dot.h"
#include "mcuc_window.h"

typedef mcuc_conv_2d_s8__rows_params params;

/* One pixel, or two neighbours with the same taps inside the image. */
typedef struct {
    mcuc_taps cols;
    int32_t pixels;
} window;

/* Adds the products of the runs from x on to the sums; the second pixel is `step` bytes further. */
static MCUC_NOINLINE void add_runs(const mcuc_runs *runs, const int8_t *x, int32_t step,
                                   int32_t pixels, const int8_t *w, int32_t lanes, mcuc_sums *sums)
{
    static const int32_t start[4];
    mcuc_sums part;

    mcuc_dot_block(runs, x, step, pixels, w, lanes, start, &part);
    for (int32_t i = 0; i < lanes; i++) {
        sums->first[i] += part.first[i];
        if (pixels == 2) {
            sums->second[i] += part.second[i];
        }
    }
}

/* The sums of `lanes` outputs of the group whose channels start at byte `channel` of a pixel. */
static void sum_rows(const params *p, const window *win, const void *const *rows, int32_t channel,
                     const int8_t *w, int32_t lanes, mcuc_sums *sums)
{
    static const mcuc_sums nothing;
    int32_t in_channels = p->groups * p->group_in_channels;
    int32_t inside = win->cols.end - win->cols.begin;
    int32_t step = p->stride_w * in_channels;
    int32_t tap = p->group_in_channels * lanes;
    int32_t at = (win->cols.start + win->cols.begin * p->dilation_w) * in_channels + channel;
    mcuc_runs within = {1, inside, p->group_in_channels, 0, 0, 0};
    mcuc_runs outside = {1, 0, p->group_in_channels, -(int32_t)p->group_in_channels, 0, 0};

    within.x_col = p->dilation_w * in_channels - within.length;
    if (within.x_col == 0) {
        within.cols = 1;
        within.length *= inside;
    }
    *sums = nothing;
    for (int32_t ky = 0; ky < p->filter_height; ky++) {
        if (win->cols.begin > 0) {
            outside.cols = win->cols.begin;
            add_runs(&outside, p->border, 0, win->pixels, w, lanes, sums);
        }
        if (inside > 0) {
            add_runs(&within, (const int8_t *)rows[ky] + at, step, win->pixels,
                     w + win->cols.begin * tap, lanes, sums);
        }
        if (win->cols.end < p->filter_width) {
            outside.cols = p->filter_width - win->cols.end;
            add_runs(&outside, p->border, 0, win->pixels, w + win->cols.end * tap, lanes, sums);
        }
        w += p->filter_width * tap;
    }
}

/* All channels of one or two pixels, to `output`. */
static MCUC_NOINLINE void convolve_pixels(const params *p, const mcuc_channels *scaling,
                                          const window *win, const void *const *rows,
                                          int8_t *output)
{
    int32_t filter_size = p->filter_height * p->filter_width * p->group_in_channels;
    int32_t out_channels = p->groups * p->group_out_channels;
    const int8_t *w = p->filter;
    int32_t channel = 0;

    for (int32_t group = 0; group < p->groups; group++) {
        int32_t left = p->group_out_channels;
        while (left > 0) {
            int32_t lanes = left < 4 ? left : 4;
            mcuc_sums sums;
            sum_rows(p, win, rows, group * p->group_in_channels, w, lanes, &sums);
            mcuc_requantize_block(scaling, &sums, channel, lanes, win->pixels, out_channels,
                                  output);
            w += lanes * filter_size;
            channel += lanes;
            left -= lanes;
        }
    }
}

static mcuc_taps taps_at(const params *p, int32_t x)
{
    return mcuc_taps_inside(x * p->stride_w - p->pad_left, p->filter_width, p->dilation_w,
                            p->in_width);
}

/* Straight to the output, two pixels together where their taps are alike. */
static void convolve_directly(const params *p, const mcuc_channels *scaling,
                              const void *const *rows, int8_t *output)
{
    int32_t out_channels = p->groups * p->group_out_channels;
    mcuc_taps next = taps_at(p, 0);
    window win;

    for (int32_t x = 0; x < p->out_width; x += win.pixels) {
        win.cols = next;
        win.pixels = 1;
        next = taps_at(p, x + 1);
        if (x + 1 < p->out_width && next.begin == win.cols.begin && next.end == win.cols.end) {
            win.pixels = 2;
            next = taps_at(p, x + 2);
        }
        convolve_pixels(p, scaling, &win, rows, output);
        output += win.pixels * out_channels;
    }
}

/* By way of the scratch, in which a pixel waits until what lies in its place is not needed. */
static void convolve_late(const params *p, const mcuc_channels *scaling, const void *const *rows,
                          int8_t *output, int8_t *scratch)
{
    int32_t out_channels = p->groups * p->group_out_channels;
    int32_t written = 0; /* pixels */

    for (int32_t x = 0; x < p->out_width; x++) {
        const window win = {taps_at(p, x), 1};
        convolve_pixels(p, scaling, &win, rows, scratch + x % p->held * out_channels);
        if (x + 1 - written == p->held) {
            (void)memcpy(output + written * out_channels,
                         scratch + written % p->held * out_channels, (size_t)out_channels);
            written++;
        }
    }
    for (; written < p->out_width; written++) {
        (void)memcpy(output + written * out_channels, scratch + written % p->held * out_channels,
                     (size_t)out_channels);
    }
}

void mcuc_conv_2d_s8__rows(const mcuc_conv_2d_s8__rows_params *p, const void *const *rows,
                           void *output, void *scratch)
{
    const mcuc_channels scaling = {
        p->bias, p->multiplier, p->right_shift, p->out_zero_point, p->out_min, p->out_max,
    };

    if (p->held == 0) {
        convolve_directly(p, &scaling, rows, (int8_t *)output);
    } else {
        convolve_late(p, &scaling, rows, (int8_t *)output, (int8_t *)scratch);
    }
}
