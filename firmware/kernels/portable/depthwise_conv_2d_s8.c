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
    int32_t x_col; /* bytes in the input from tap to tap of a row */
    int32_t x_row; /* and from row to row */
    int32_t zero;  /* a pixel outside the image */
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

/*
 * The sums of four channels of one pixel over the taps inside the image; x and w start at the first
 * of them.
 */
static MCUC_NOINLINE void sum_1x4(const window *win, const int8_t *x, const int8_t *w, int32_t *sum)
{
    int32_t inside_cols = win->cols.end - win->cols.begin;
    int32_t x_row = win->x_row - inside_cols * win->x_col;
    int32_t w_row = (win->width - inside_cols) * win->channels;
    int32_t s0 = 0;
    int32_t s1 = 0;
    int32_t s2 = 0;
    int32_t s3 = 0;

    for (int32_t rows = win->rows.end - win->rows.begin; rows > 0; rows--) {
        for (int32_t cols = inside_cols; cols > 0; cols--) {
            s0 += x[0] * w[0];
            s1 += x[1] * w[1];
            s2 += x[2] * w[2];
            s3 += x[3] * w[3];
            x += win->x_col;
            w += win->channels;
        }
        x += x_row;
        w += w_row;
    }
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
    sum[3] = s3;
}

/* Adds what the taps outside the image contribute to four channels of each pixel. */
static MCUC_NOINLINE void add_outside(const window *win, const int8_t *w, mcuc_sums *sums)
{
    int32_t s0 = 0;
    int32_t s1 = 0;
    int32_t s2 = 0;
    int32_t s3 = 0;

    for (int32_t ky = 0; ky < win->height; ky++) {
        int32_t row_inside = ky >= win->rows.begin && ky < win->rows.end;
        int32_t before = row_inside ? win->cols.begin : win->width;
        for (int32_t left = before; left > 0; left--, w += win->channels) {
            s0 += w[0];
            s1 += w[1];
            s2 += w[2];
            s3 += w[3];
        }
        if (row_inside) {
            w += (win->cols.end - win->cols.begin) * win->channels;
            for (int32_t left = win->width - win->cols.end; left > 0; left--, w += win->channels) {
                s0 += w[0];
                s1 += w[1];
                s2 += w[2];
                s3 += w[3];
            }
        }
    }
    sums->first[0] += s0 * win->zero;
    sums->first[1] += s1 * win->zero;
    sums->first[2] += s2 * win->zero;
    sums->first[3] += s3 * win->zero;
    if (win->pixels == 2) {
        sums->second[0] += s0 * win->zero;
        sums->second[1] += s1 * win->zero;
        sums->second[2] += s2 * win->zero;
        sums->second[3] += s3 * win->zero;
    }
}

/* Whether tap (ky, kx) is inside the image. */
static inline int32_t is_inside(const window *win, int32_t ky, int32_t kx)
{
    return ky >= win->rows.begin && ky < win->rows.end && kx >= win->cols.begin &&
           kx < win->cols.end;
}

/* The channels that four leave over, one at a time; `start` is where the first tap would be. */
static MCUC_NOINLINE void sum_1xn(const window *win, const int8_t *image, int32_t start,
                                  const int8_t *w, int32_t lanes, int32_t *sum)
{
    for (int32_t i = 0; i < lanes; i++) {
        const int8_t *wi = w + i;
        int32_t at = start + i;
        sum[i] = 0;
        for (int32_t ky = 0; ky < win->height; ky++, at += win->x_row) {
            for (int32_t kx = 0; kx < win->width; kx++, wi += win->channels) {
                sum[i] +=
                    wi[0] * (is_inside(win, ky, kx) ? image[at + kx * win->x_col] : win->zero);
            }
        }
    }
}

/*
 * The sums of four channels of one or two pixels of which taps may be outside the image. x is where
 * the first tap of the first would be; the second is `step` bytes further.
 */
static MCUC_NOINLINE void sum_border(const window *win, const int8_t *image, int32_t start,
                                     const int8_t *w, int32_t step, mcuc_sums *sums)
{
    int32_t inside_cols = win->cols.end - win->cols.begin;
    int32_t inside = (win->rows.end - win->rows.begin) * inside_cols;

    if (inside > 0) {
        const int8_t *x =
            image + start + win->rows.begin * win->x_row + win->cols.begin * win->x_col;
        const int8_t *wx = w + (win->rows.begin * win->width + win->cols.begin) * win->channels;
        sum_1x4(win, x, wx, sums->first);
        if (win->pixels == 2) {
            sum_1x4(win, x + step, wx, sums->second);
        }
    } else {
        static const mcuc_sums nothing;
        *sums = nothing;
    }
    if (inside < win->height * win->width && win->zero != 0) {
        add_outside(win, w, sums);
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
                sum_border(win, image, start, w, step, &sums);
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
    window win;

    win.height = p->filter_height;
    win.width = p->filter_width;
    win.channels = p->channels;
    win.x_col = p->dilation_w * p->channels;
    win.x_row = p->dilation_h * p->in_width * p->channels;
    win.zero = p->in_zero_point;
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
