/*
 * mcuc_depthwise_conv_2d_s8: see mcuc/depthwise_conv_2d_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/depthwise_conv_2d_s8.h"

#include "mcuc_channels.h"
#include "mcuc_window.h"

typedef mcuc_depthwise_conv_2d_s8_params params;

/*
 * The taps inside the image, of one pixel or of two neighbours for which they are the same: a
 * rectangle of the filter. Steps are bytes from tap to tap, and what the end of a row adds to that.
 */
typedef struct {
    mcuc_taps rows;
    mcuc_taps cols;
    int32_t pixels;
    int32_t height;
    int32_t width;
    int32_t x_col;
    int32_t x_row;
    int32_t w_col;
    int32_t w_row;
} window;

/* sums->first[i] = start[i] + sum of the products at x[i], w[i] over the window, for i < 4. */
static MCUC_NOINLINE void sum_1x4(const window *win, const int8_t *x, const int8_t *w,
                                  const int32_t *start, mcuc_sums *sums)
{
    int32_t a0 = start[0];
    int32_t a1 = start[1];
    int32_t a2 = start[2];
    int32_t a3 = start[3];
    int32_t x_col = win->x_col;
    int32_t w_col = win->w_col;

    for (int32_t rows = win->height; rows > 0; rows--) {
        for (int32_t cols = win->width; cols > 0; cols--) {
            a0 += x[0] * w[0];
            a1 += x[1] * w[1];
            a2 += x[2] * w[2];
            a3 += x[3] * w[3];
            x += x_col;
            w += w_col;
        }
        x += win->x_row;
        w += win->w_row;
    }
    sums->first[0] = a0;
    sums->first[1] = a1;
    sums->first[2] = a2;
    sums->first[3] = a3;
}

/* The same for two pixels, whose windows start at x and y: each weight is loaded once. */
static MCUC_NOINLINE void sum_2x4(const window *win, const int8_t *x, const int8_t *y,
                                  const int8_t *w, const int32_t *start, mcuc_sums *sums)
{
    int32_t a0 = start[0];
    int32_t a1 = start[1];
    int32_t a2 = start[2];
    int32_t a3 = start[3];
    int32_t b0 = a0;
    int32_t b1 = a1;
    int32_t b2 = a2;
    int32_t b3 = a3;

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
            w += win->w_col;
        }
        x += win->x_row;
        y += win->x_row;
        w += win->w_row;
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

/* One channel of one pixel, for those that four leave over. */
static MCUC_NOINLINE int32_t sum_1x1(const window *win, const int8_t *x, const int8_t *w)
{
    int32_t sum = 0;
    for (int32_t rows = win->height; rows > 0; rows--) {
        for (int32_t cols = win->width; cols > 0; cols--) {
            sum += x[0] * w[0];
            x += win->x_col;
            w += win->w_col;
        }
        x += win->x_row;
        w += win->w_row;
    }
    return sum;
}

/* sum[i] += in_zero_point * (sum of the weights of `taps` taps from w[i] on), for i < lanes. */
static void add_outside(const params *p, const int8_t *w, int32_t taps, int32_t lanes,
                        int32_t *sum)
{
    for (int32_t i = 0; i < lanes; i++) {
        const int8_t *wi = w + i;
        int32_t weights = 0;
        for (int32_t left = taps; left > 0; left--, wi += p->channels) {
            weights += wi[0];
        }
        sum[i] += p->in_zero_point * weights;
    }
}

/* sum[i] = what the taps outside the image contribute to the channel at w[i], for i < lanes. */
static MCUC_NOINLINE void sum_outside(const params *p, const window *win, const int8_t *w,
                                      int32_t lanes, int32_t *sum)
{
    int32_t width = p->filter_width;
    int32_t channels = p->channels;

    sum[0] = sum[1] = sum[2] = sum[3] = 0;
    add_outside(p, w, win->rows.begin * width, lanes, sum);
    for (int32_t ky = win->rows.begin; ky < win->rows.end; ky++) {
        const int8_t *row = w + ky * width * channels;
        add_outside(p, row, win->cols.begin, lanes, sum);
        add_outside(p, row + win->cols.end * channels, width - win->cols.end, lanes, sum);
    }
    add_outside(p, w + win->rows.end * width * channels, (p->filter_height - win->rows.end) * width,
                lanes, sum);
}

/* The sums of `lanes` channels at x and w, of one or two pixels. */
static void sum_block(const window *win, const int8_t *x, int32_t step, const int8_t *w,
                      int32_t lanes, const int32_t *start, mcuc_sums *sums)
{
    if (lanes < 4) {
        for (int32_t i = 0; i < lanes; i++) {
            sums->first[i] = start[i] + sum_1x1(win, x + i, w + i);
            if (win->pixels == 2) {
                sums->second[i] = start[i] + sum_1x1(win, x + step + i, w + i);
            }
        }
    } else if (win->pixels == 2) {
        sum_2x4(win, x, x + step, w, start, sums);
    } else {
        sum_1x4(win, x, w, start, sums);
    }
}

/* Completes `win`, whose rows, cols and pixels are set. */
static void measure_window(const params *p, window *win)
{
    win->height = win->rows.end - win->rows.begin;
    win->width = win->cols.end - win->cols.begin;
    if (win->width == 0) {
        win->height = 0;
    }
    win->x_col = p->dilation_w * p->channels;
    win->x_row = p->dilation_h * p->in_width * p->channels - win->width * win->x_col;
    win->w_col = p->channels;
    win->w_row = (p->filter_width - win->width) * p->channels;
}

/* All channels of one or two pixels. `input` is the batch's image, `output` the first pixel. */
static void convolve_pixels(const params *p, const mcuc_channels *scaling, window *win,
                            const int8_t *input, int8_t *output)
{
    const int8_t *w = p->filter;
    const int8_t *w_inside = w;
    int32_t channels = p->channels;
    int32_t start[4] = {0, 0, 0, 0};
    int32_t lanes;

    measure_window(p, win);
    if (win->height > 0) {
        int32_t y = win->rows.start + win->rows.begin * p->dilation_h;
        int32_t x = win->cols.start + win->cols.begin * p->dilation_w;
        input += (y * p->in_width + x) * channels;
        w_inside += (win->rows.begin * p->filter_width + win->cols.begin) * channels;
    }
    int32_t outside = p->in_zero_point != 0 &&
                      (win->height < p->filter_height || win->width < p->filter_width);
    for (int32_t channel = 0; channel < channels; channel += lanes) {
        mcuc_sums sums;
        lanes = channels - channel < 4 ? channels - channel : 4;
        if (outside) {
            sum_outside(p, win, w + channel, lanes, start);
        }
        sum_block(win, input + channel, p->stride_w * channels, w_inside + channel, lanes, start,
                  &sums);
        mcuc_requantize_block(scaling, &sums, channel, lanes, win->pixels, channels, output);
    }
}

/* One row of output pixels. */
static void convolve_row(const params *p, const mcuc_channels *scaling, window *win,
                         const int8_t *input, int8_t *output)
{
    mcuc_taps next = mcuc_taps_inside(-(int32_t)p->pad_left, p->filter_width, p->dilation_w,
                                      p->in_width);
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
