/*
 * mcuc_conv_2d_s8__rows: see mcuc/conv_2d_s8__rows.h.
 *
 * The inner loops are those of mcuc_dot.h, but for where an input row is. They know nothing of
 * borders: taps left and right of the image are added up beforehand.
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
    const void *const *rows;
    mcuc_taps cols;
    int32_t pixels;
} window;

/*
 * The taps inside the image: in each of `height` rows, from byte `at` on, `cols` runs of `length`
 * bytes; from the end of a run to the next one, and in the weights of one output from a row's last
 * to the next row's first.
 */
typedef struct {
    const void *const *rows;
    int32_t height;
    int32_t at;
    int32_t cols;
    int32_t length;
    int32_t x_col;
    int32_t w_row;
} row_runs;

/* sums->first[i] = start[i] + sum of x[k] w[4 k + i] over the runs, for i < 4. */
static MCUC_NOINLINE void dot_1x4(const row_runs *r, const int8_t *w, const int32_t *start,
                                  mcuc_sums *sums)
{
    int32_t a0 = start[0];
    int32_t a1 = start[1];
    int32_t a2 = start[2];
    int32_t a3 = start[3];

    for (int32_t ky = 0; ky < r->height; ky++) {
        const int8_t *x = (const int8_t *)r->rows[ky] + r->at;
        MCUC_DOT_ROW_1X4(r);
        w += 4 * r->w_row;
    }
    sums->first[0] = a0;
    sums->first[1] = a1;
    sums->first[2] = a2;
    sums->first[3] = a3;
}

/* The same for two pixels; sums->second[i] are those of the one `step` bytes further. */
static MCUC_NOINLINE void dot_2x4(const row_runs *r, int32_t step, const int8_t *w,
                                  const int32_t *start, mcuc_sums *sums)
{
    int32_t a0 = start[0];
    int32_t a1 = start[1];
    int32_t a2 = start[2];
    int32_t a3 = start[3];
    int32_t b0 = a0;
    int32_t b1 = a1;
    int32_t b2 = a2;
    int32_t b3 = a3;

    for (int32_t ky = 0; ky < r->height; ky++) {
        const int8_t *x = (const int8_t *)r->rows[ky] + r->at;
        const int8_t *y = x + step;
        MCUC_DOT_ROW_2X4(r);
        w += 4 * r->w_row;
    }
    sums->first[0] = a0;
    sums->first[1] = a1;
    sums->first[2] = a2;
    sums->first[3] = a3;
    sums->second[0] = b0;
    sums->second[1] = b1;
    sums->second[2] = b2;
    sums->second[3] = b3;
}

/* The outputs that four leave over: sum[i] = start[i] + sum of x[k] w[lanes k + i], i < lanes. */
static MCUC_NOINLINE void dot_1xn(const row_runs *r, int32_t step, const int8_t *w, int32_t lanes,
                                  const int32_t *start, int32_t *sum)
{
    for (int32_t i = 0; i < lanes; i++) {
        const int8_t *wi = w + i;
        int32_t a = start[i];
        for (int32_t ky = 0; ky < r->height; ky++) {
            const int8_t *x = (const int8_t *)r->rows[ky] + r->at + step;
            for (int32_t cols = r->cols; cols > 0; cols--) {
                for (int32_t left = r->length; left > 0; left--, x += 1, wi += lanes) {
                    a += x[0] * wi[0];
                }
                x += r->x_col;
            }
            wi += lanes * r->w_row;
        }
        sum[i] = a;
    }
}

/* sum[i] = what the taps left and right of the image contribute to output i, for i < lanes. */
static MCUC_NOINLINE void sum_outside(const params *p, const mcuc_taps *cols, const int8_t *w,
                                      int32_t lanes, int32_t *sum)
{
    int32_t channels = p->group_in_channels;

    (void)memset(sum, 0, 4 * sizeof(int32_t));
    for (int32_t tap = 0; tap < p->filter_height * p->filter_width; tap++) {
        int32_t kx = tap % p->filter_width;
        if (kx >= cols->begin && kx < cols->end) {
            w += channels * lanes;
            continue;
        }
        for (int32_t left = channels; left > 0; left--) {
            for (int32_t i = 0; i < lanes; i++) {
                sum[i] += *w++ * p->in_zero_point;
            }
        }
    }
}

/* The sums of `lanes` outputs of the group whose channels start at byte `channel` of a pixel. */
static void sum_rows(const params *p, const window *win, int32_t channel, const int8_t *w,
                     int32_t lanes, mcuc_sums *sums)
{
    int32_t in_channels = p->groups * p->group_in_channels;
    int32_t inside = win->cols.end - win->cols.begin;
    int32_t step = p->stride_w * in_channels;
    int32_t start[4] = {0, 0, 0, 0};
    row_runs runs = {.rows = win->rows, .height = inside > 0 ? p->filter_height : 0};

    if (inside < p->filter_width) {
        sum_outside(p, &win->cols, w, lanes, start);
    }
    runs.at = (win->cols.start + win->cols.begin * p->dilation_w) * in_channels + channel;
    runs.cols = inside;
    runs.length = p->group_in_channels;
    runs.x_col = p->dilation_w * in_channels - runs.length;
    runs.w_row = (p->filter_width - inside) * p->group_in_channels;
    if (runs.x_col == 0) {
        runs.cols = 1;
        runs.length *= inside;
    }
    w += win->cols.begin * p->group_in_channels * lanes;
    if (lanes < 4) {
        dot_1xn(&runs, 0, w, lanes, start, sums->first);
        if (win->pixels == 2) {
            dot_1xn(&runs, step, w, lanes, start, sums->second);
        }
    } else if (win->pixels == 2) {
        dot_2x4(&runs, step, w, start, sums);
    } else {
        dot_1x4(&runs, w, start, sums);
    }
}

/* All channels of one or two pixels, to `output`. */
static MCUC_NOINLINE void convolve_pixels(const params *p, const mcuc_channels *scaling,
                                          const window *win, int8_t *output)
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
            sum_rows(p, win, group * p->group_in_channels, w, lanes, &sums);
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
    window win = {.rows = rows};

    for (int32_t x = 0; x < p->out_width; x += win.pixels) {
        win.cols = next;
        win.pixels = 1;
        next = taps_at(p, x + 1);
        if (x + 1 < p->out_width && next.begin == win.cols.begin && next.end == win.cols.end) {
            win.pixels = 2;
            next = taps_at(p, x + 2);
        }
        convolve_pixels(p, scaling, &win, output);
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
        const window win = {rows, taps_at(p, x), 1};
        convolve_pixels(p, scaling, &win, scratch + x % p->held * out_channels);
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
