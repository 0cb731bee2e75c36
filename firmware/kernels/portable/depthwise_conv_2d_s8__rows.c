/*
 * mcuc_depthwise_conv_2d_s8__rows: see mcuc/depthwise_conv_2d_s8__rows.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/depthwise_conv_2d_s8__rows.h"

#include <string.h>

#include "mcuc_channels.h"
#include "mcuc_window.h"

typedef mcuc_depthwise_conv_2d_s8__rows_params params;

/* A pixel's window: its taps inside the image, and where the first of them is in a row. */
typedef struct {
    const void *const *rows;
    mcuc_taps cols;
    int32_t at; /* bytes */
} window;

/* The sums of four channels over the taps inside the image; w is the first tap's weight. */
static MCUC_NOINLINE void sum_4(const params *p, const window *win, int32_t channel,
                                const int8_t *w, int32_t *sum)
{
    int32_t inside = win->cols.end - win->cols.begin;
    int32_t x_col = p->dilation_w * p->channels;
    int32_t w_row = (p->filter_width - inside) * p->channels;
    int32_t s0 = 0;
    int32_t s1 = 0;
    int32_t s2 = 0;
    int32_t s3 = 0;

    w += win->cols.begin * p->channels;
    for (int32_t ky = 0; ky < p->filter_height; ky++) {
        const int8_t *x = (const int8_t *)win->rows[ky] + win->at + channel;
        for (int32_t left = inside; left > 0; left--) {
            s0 += x[0] * w[0];
            s1 += x[1] * w[1];
            s2 += x[2] * w[2];
            s3 += x[3] * w[3];
            x += x_col;
            w += p->channels;
        }
        w += w_row;
    }
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
    sum[3] = s3;
}

/* The same for the channels that four leave over. */
static MCUC_NOINLINE void sum_n(const params *p, const window *win, int32_t channel,
                                const int8_t *w, int32_t lanes, int32_t *sum)
{
    int32_t inside = win->cols.end - win->cols.begin;
    int32_t x_col = p->dilation_w * p->channels;

    for (int32_t i = 0; i < lanes; i++) {
        sum[i] = 0;
        for (int32_t ky = 0; ky < p->filter_height; ky++) {
            const int8_t *x = (const int8_t *)win->rows[ky] + win->at + channel + i;
            const int8_t *wi = w + i + (ky * p->filter_width + win->cols.begin) * p->channels;
            for (int32_t left = inside; left > 0; left--, x += x_col, wi += p->channels) {
                sum[i] += x[0] * wi[0];
            }
        }
    }
}

/* Adds what the taps left and right of the image contribute. */
static MCUC_NOINLINE void add_outside(const params *p, const window *win, const int8_t *w,
                                      int32_t lanes, int32_t *sum)
{
    for (int32_t ky = 0; ky < p->filter_height; ky++) {
        for (int32_t kx = 0; kx < p->filter_width; kx++, w += p->channels) {
            if (kx >= win->cols.begin && kx < win->cols.end) {
                continue;
            }
            for (int32_t i = 0; i < lanes; i++) {
                sum[i] += w[i] * p->in_zero_point;
            }
        }
    }
}

/* All channels of one pixel. `late` is NULL, or where the pixel waits in place of an older one,
 * which goes to `output` first where `is_late`. */
static void convolve_pixel(const params *p, const mcuc_channels *scaling, const window *win,
                           int32_t is_late, int8_t *late, int8_t *output)
{
    int32_t is_whole = win->cols.end - win->cols.begin == p->filter_width;
    int32_t lanes;

    for (int32_t channel = 0; channel < p->channels; channel += lanes) {
        const int8_t *w = p->filter + channel;
        mcuc_sums sums;
        lanes = p->channels - channel;
        if (lanes < 4) {
            sum_n(p, win, channel, w, lanes, sums.first);
        } else {
            lanes = 4;
            sum_4(p, win, channel, w, sums.first);
        }
        if (!is_whole && p->in_zero_point != 0) {
            add_outside(p, win, w, lanes, sums.first);
        }
        if (is_late) {
            (void)memcpy(output + channel, late + channel, (size_t)lanes);
        }
        mcuc_requantize_block(scaling, &sums, channel, lanes, 1, 0, late == NULL ? output : late);
    }
}

void mcuc_depthwise_conv_2d_s8__rows(const mcuc_depthwise_conv_2d_s8__rows_params *p,
                                     const void *const *rows, void *output, void *scratch)
{
    const mcuc_channels scaling = {
        p->bias, p->multiplier, p->right_shift, p->out_zero_point, p->out_min, p->out_max,
    };
    int32_t channels = p->channels;
    int8_t *next = (int8_t *)output; /* the pixel that is written next */
    int32_t waiting = 0;
    window win = {.rows = rows};

    for (int32_t x = 0; x < p->out_width; x++) {
        int32_t is_late = waiting == p->held;
        int8_t *late = p->held == 0 ? NULL : (int8_t *)scratch + x % p->held * channels;
        win.cols = mcuc_taps_inside(x * p->stride_w - p->pad_left, p->filter_width, p->dilation_w,
                                    p->in_width);
        win.at = (win.cols.start + win.cols.begin * p->dilation_w) * channels;
        convolve_pixel(p, &scaling, &win, late != NULL && is_late, late, next);
        next += is_late ? channels : 0;
        waiting += is_late ? 0 : 1;
    }
    for (int32_t x = p->out_width - waiting; x < p->out_width; x++, next += channels) {
        (void)memcpy(next, (const int8_t *)scratch + x % p->held * channels, (size_t)channels);
    }
}
