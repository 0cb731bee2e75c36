/*
 * mcuc_depthwise_conv_2d_s8: see mcuc/depthwise_conv_2d_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/depthwise_conv_2d_s8.h"

#include "mcuc_channels.h"
#include "mcuc_window.h"

typedef mcuc_depthwise_conv_2d_s8_params params;

/* What the sums of all pixels share, and where the taps of the present ones lie. */
typedef struct {
    int32_t height; /* of the filter */
    int32_t width;
    int32_t channels;
    int32_t x_col;   /* bytes in the input from tap to tap of a row */
    int32_t x_row;   /* and from row to row */
    int8_t zeros[4]; /* four channels of a pixel outside the image */
    mcuc_taps rows;
    mcuc_taps cols;
    int32_t pixels; /* one, or two neighbours with the same taps inside the image */
} window;

/*
 * The sums of four channels of two pixels, all taps inside the image; their windows start at x and
 * y. Each weight is loaded once for both.
 */
static MCUC_NOINLINE void sum_2x4(const window *win, const int8_t *x, const int8_t *y,
                                  const int8_t *w, mcuc_sums *sums)
{
    int32_t a0 = 0;
    int32_t a1 = 0;
    int32_t a2 = 0;
    int32_t a3 = 0;
    int32_t b0 = 0;
    int32_t b1 = 0;
    int32_t b2 = 0;
    int32_t b3 = 0;

    for (int32_t rows = win->height; rows > 0; rows--) {
        for (int32_t cols = win->width; cols > 0; cols--) {
            int32_t v = w[0];
            a0 += x[0] * v;
            b0 += y[0] * v;
            v = w[1];
            a1 += x[1] * v;
            b1 += y[1] * v;
            v = w[2];
            a2 += x[2] * v;
            b2 += y[2] * v;
            v = w[3];
            a3 += x[3] * v;
            b3 += y[3] * v;
            x += win->x_col;
            y += win->x_col;
            w += win->channels;
        }
        x += win->x_row - win->width * win->x_col;
        y += win->x_row - win->width * win->x_col;
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

/* How many taps of a row, from kx on, are all inside the image or all outside, and which. */
static inline int32_t equal_taps(const window *win, int32_t ky, int32_t kx, int32_t *inside)
{
    int32_t end = win->width;
    *inside = 0;
    if (ky >= win->rows.begin && ky < win->rows.end) {
        if (kx < win->cols.begin) {
            end = win->cols.begin;
        } else if (kx < win->cols.end) {
            end = win->cols.end;
            *inside = 1;
        }
    }
    return end - kx;
}

/*
 * The sums of four channels of one pixel, whatever its window. `image` and `w` start at the first
 * of the channels; `start` is the first tap's place in the image, which may be outside.
 */
static MCUC_NOINLINE void sum_1x4(const window *win, const int8_t *image, int32_t start,
                                  const int8_t *w, int32_t *sum)
{
    int32_t s0 = 0;
    int32_t s1 = 0;
    int32_t s2 = 0;
    int32_t s3 = 0;

    for (int32_t ky = 0; ky < win->height; ky++, start += win->x_row) {
        int32_t taps;
        for (int32_t kx = 0; kx < win->width; kx += taps) {
            int32_t inside;
            taps = equal_taps(win, ky, kx, &inside);
            const int8_t *x = inside ? image + start + kx * win->x_col : win->zeros;
            int32_t step = inside ? win->x_col : 0;
            int32_t channels = win->channels;
            for (int32_t left = taps; left > 0; left--, x += step, w += channels) {
                s0 += x[0] * w[0];
                s1 += x[1] * w[1];
                s2 += x[2] * w[2];
                s3 += x[3] * w[3];
            }
        }
    }
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
    sum[3] = s3;
}

/* The same for the channels that four leave over, one at a time. */
static MCUC_NOINLINE void sum_1xn(const window *win, const int8_t *image, int32_t start,
                                  const int8_t *w, int32_t lanes, int32_t *sum)
{
    for (int32_t i = 0; i < lanes; i++) {
        const int8_t *wi = w + i;
        int32_t at = start + i;
        sum[i] = 0;
        for (int32_t ky = 0; ky < win->height; ky++, at += win->x_row) {
            for (int32_t kx = 0; kx < win->width; kx++, wi += win->channels) {
                int32_t inside;
                (void)equal_taps(win, ky, kx, &inside);
                sum[i] += wi[0] * (inside ? image[at + kx * win->x_col] : win->zeros[0]);
            }
        }
    }
}

/* All channels of one or two pixels. `image` is the batch's, `output` the first pixel. */
static void convolve_pixels(const params *p, const mcuc_channels *scaling, const window *win,
                            const int8_t *image, int8_t *output)
{
    int32_t channels = p->channels;
    int32_t start = (win->rows.start * p->in_width + win->cols.start) * channels;
    int32_t step = p->stride_w * channels;
    int32_t whole = win->pixels == 2 && win->rows.end - win->rows.begin == win->height &&
                    win->cols.end - win->cols.begin == win->width;
    const int8_t *w = p->filter;
    int32_t lanes;

    for (int32_t channel = 0; channel < channels; channel += lanes) {
        mcuc_sums sums;
        lanes = channels - channel;
        if (lanes < 4) {
            sum_1xn(win, image, start, w, lanes, sums.first);
            sum_1xn(win, image, start + (win->pixels - 1) * step, w, lanes, sums.second);
        } else {
            lanes = 4;
            if (whole) {
                sum_2x4(win, image + start, image + start + step, w, &sums);
            } else {
                sum_1x4(win, image, start, w, sums.first);
                if (win->pixels == 2) {
                    sum_1x4(win, image, start + step, w, sums.second);
                }
            }
        }
        mcuc_requantize_block(scaling, &sums, channel, lanes, win->pixels, channels, output);
        image += lanes;
        w += lanes;
    }
}

/* One row of output pixels. */
static void convolve_row(const params *p, const mcuc_channels *scaling, window *win,
                         const int8_t *input, int8_t *output)
{
    mcuc_taps next =
        mcuc_taps_inside(-(int32_t)p->pad_left, p->filter_width, p->dilation_w, p->in_width);
    int32_t x = 0;

    while (x < p->out_width) {
        win->cols = next;
        win->pixels = 0;
        do {
            win->pixels++;
            next = mcuc_taps_inside(win->cols.start + win->pixels * p->stride_w, p->filter_width,
                                    p->dilation_w, p->in_width);
        } while (win->pixels < 2 && x + win->pixels < p->out_width &&
                 next.begin == win->cols.begin && next.end == win->cols.end);
        convolve_pixels(p, scaling, win, input, output);
        output += win->pixels * p->channels;
        x += win->pixels;
    }
}

void mcuc_depthwise_conv_2d_s8(const mcuc_depthwise_conv_2d_s8_params *p, const int8_t *input,
                               int8_t *output)
{
    const mcuc_channels scaling = {
        p->bias, p->multiplier, p->right_shift, p->out_zero_point, p->out_min, p->out_max,
    };
    const int8_t z = p->in_zero_point;
    window win = {
        .height = p->filter_height,
        .width = p->filter_width,
        .channels = p->channels,
        .x_col = p->dilation_w * p->channels,
        .x_row = p->dilation_h * p->in_width * p->channels,
        .zeros = {z, z, z, z},
    };

    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            win.rows = mcuc_taps_inside(y * p->stride_h - p->pad_top, p->filter_height,
                                        p->dilation_h, p->in_height);
            convolve_row(p, &scaling, &win, input, output);
            output += p->out_width * p->channels;
        }
        input += p->in_height * p->in_width * p->channels;
    }
}
