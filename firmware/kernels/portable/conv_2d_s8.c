/*
 * mcuc_conv_2d_s8: see mcuc/conv_2d_s8.h.
 *
 * Taps along a filter row are one run of bytes in the input where there is one
 * group and no dilation across; else each tap is a run of its own. The inner
 * loops know nothing of borders: taps outside are added up beforehand.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_s8.h"

#include "mcuc_dot.h"
#include "mcuc_window.h"

typedef mcuc_conv_2d_s8_params params;

/* One or two pixels with the same taps inside the image. */
typedef struct {
    mcuc_taps rows;
    mcuc_taps cols;
    int32_t pixels;
} window;

/* acc[i] = the part of the sums that taps outside the image contribute. */
static void start_outside(const params *p, const window *win, const int8_t *w, int32_t lanes,
                          int32_t *acc)
{
    int32_t tap = lanes * p->group_in_channels;
    int32_t row = p->filter_width * p->group_in_channels;
    int32_t zero = p->in_zero_point;

    for (int32_t i = 0; i < 4; i++) {
        acc[i] = 0;
    }
    if (zero == 0) {
        return;
    }
    int32_t below = p->filter_height - win->rows.end;
    mcuc_dot_constant(zero, w, win->rows.begin * row, lanes, acc);
    mcuc_dot_constant(zero, w + win->rows.end * row * lanes, below * row, lanes, acc);
    for (int32_t ky = win->rows.begin; ky < win->rows.end; ky++) {
        const int8_t *w_row = w + ky * row * lanes;
        int32_t right = p->filter_width - win->cols.end;
        mcuc_dot_constant(zero, w_row, win->cols.begin * p->group_in_channels, lanes, acc);
        mcuc_dot_constant(zero, w_row + win->cols.end * tap, right * p->group_in_channels, lanes,
                          acc);
    }
}

/* Adds a run of n inputs, at x for the first pixel and at x + step for the second. */
static inline void add_run(const int8_t *x, int32_t step, const int8_t *w, int32_t n,
                           int32_t lanes, int32_t pixels, int32_t *acc)
{
    if (lanes < 4) {
        for (int32_t i = 0; i < pixels; i++) {
            mcuc_dot_1xn(x + i * step, w, n, lanes, acc + 4 * i);
        }
    } else if (pixels == 2) {
        mcuc_dot_2x4(x, x + step, w, n, acc);
    } else {
        mcuc_dot_1x4(x, w, n, acc);
    }
}

/* acc[4 i + j] = sum for pixel i, output j of the block whose weights are at w. */
static void sum_block(const params *p, const window *win, const int8_t *input, const int8_t *w,
                      int32_t lanes, int32_t *acc)
{
    int32_t in_channels = p->groups * p->group_in_channels;
    int32_t step = p->stride_w * in_channels;
    int32_t tap = lanes * p->group_in_channels;
    int32_t taps_at_once = 1;

    if (p->groups == 1 && p->dilation_w == 1) {
        taps_at_once = win->cols.end - win->cols.begin;
    }
    if (win->rows.end - win->rows.begin == p->filter_height &&
        win->cols.end - win->cols.begin == p->filter_width) {
        acc[0] = acc[1] = acc[2] = acc[3] = 0;
    } else {
        start_outside(p, win, w, lanes, acc);
    }
    for (int32_t i = 0; i < 4; i++) {
        acc[4 + i] = acc[i];
    }
    for (int32_t ky = win->rows.begin; ky < win->rows.end; ky++) {
        int32_t y = win->rows.start + ky * p->dilation_h;
        for (int32_t kx = win->cols.begin; kx < win->cols.end; kx += taps_at_once) {
            int32_t x = win->cols.start + kx * p->dilation_w;
            add_run(input + (y * p->in_width + x) * in_channels, step,
                    w + (ky * p->filter_width + kx) * tap, taps_at_once * p->group_in_channels,
                    lanes, win->pixels, acc);
        }
    }
}

/* All channels of one or two pixels. `input` is the batch's image, `output` the first pixel. */
static void convolve_pixels(const params *p, const window *win, const int8_t *input,
                            int8_t *output)
{
    const int8_t *w = p->filter;
    int32_t filter_size = p->filter_height * p->filter_width * p->group_in_channels;
    int32_t out_channels = p->groups * p->group_out_channels;
    int32_t channel = 0;
    int32_t acc[8];

    for (int32_t group = 0; group < p->groups; group++) {
        int32_t left = p->group_out_channels;
        while (left > 0) {
            int32_t lanes = left < 4 ? left : 4;
            sum_block(p, win, input, w, lanes, acc);
            for (int32_t i = 0; i < win->pixels; i++) {
                mcuc_requantize_lanes(acc + 4 * i, lanes, p->bias + channel,
                                      p->multiplier + channel, p->right_shift + channel,
                                      p->out_zero_point, p->out_min, p->out_max,
                                      output + i * out_channels + channel);
            }
            w += lanes * filter_size;
            channel += lanes;
            left -= lanes;
        }
        input += p->group_in_channels;
    }
}

/* One row of output pixels. */
static void convolve_row(const params *p, window *win, const int8_t *input, int8_t *output)
{
    int32_t out_channels = p->groups * p->group_out_channels;
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
        convolve_pixels(p, win, input, output);
        output += win->pixels * out_channels;
        x += win->pixels;
    }
}

void mcuc_conv_2d_s8(const mcuc_conv_2d_s8_params *p, const int8_t *input, int8_t *output)
{
    int32_t image = p->in_height * p->in_width * p->groups * p->group_in_channels;
    int32_t out_row = p->out_width * p->groups * p->group_out_channels;
    window win;

    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            win.rows = mcuc_taps_inside(y * p->stride_h - p->pad_top, p->filter_height,
                                        p->dilation_h, p->in_height);
            convolve_row(p, &win, input, output);
            output += out_row;
        }
        input += image;
    }
}
