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

/* The runs of a window's taps inside the image. */
static mcuc_runs runs_inside(const params *p, const window *win)
{
    int32_t in_channels = p->groups * p->group_in_channels;
    int32_t cols = win->cols.end - win->cols.begin;
    mcuc_runs r;

    r.rows = cols > 0 ? win->rows.end - win->rows.begin : 0;
    r.x_row = (p->dilation_h * p->in_width - p->dilation_w * cols) * in_channels;
    r.w_row = (p->filter_width - cols) * p->group_in_channels;
    if (p->groups == 1 && p->dilation_w == 1) {
        r.cols = 1;
        r.length = cols * in_channels;
        r.x_col = 0;
    } else {
        r.cols = cols;
        r.length = p->group_in_channels;
        r.x_col = p->dilation_w * in_channels - r.length;
    }
    return r;
}

/* sum[i] = what the taps outside the image contribute to output i, for i < lanes <= 4. */
static MCUC_NOINLINE void sum_outside(const params *p, const window *win, const int8_t *w,
                                      int32_t lanes, int32_t *sum)
{
    /* The last output stands in for those that are not there. */
    int32_t i1 = lanes > 1 ? 1 : 0;
    int32_t i2 = lanes > 2 ? 2 : i1;
    int32_t i3 = lanes - 1;
    int32_t channels = p->group_in_channels;
    int32_t s0 = 0;
    int32_t s1 = 0;
    int32_t s2 = 0;
    int32_t s3 = 0;

    for (int32_t ky = 0; ky < p->filter_height; ky++) {
        int32_t row_inside = ky >= win->rows.begin && ky < win->rows.end;
        for (int32_t kx = 0; kx < p->filter_width; kx++) {
            if (row_inside && kx == win->cols.begin) {
                kx = win->cols.end;
                w += (win->cols.end - win->cols.begin) * channels * lanes;
                if (kx == p->filter_width) {
                    break;
                }
            }
            for (int32_t left = channels; left > 0; left--, w += lanes) {
                s0 += w[0];
                s1 += w[i1];
                s2 += w[i2];
                s3 += w[i3];
            }
        }
    }
    sum[0] = s0 * p->in_zero_point;
    sum[1] = s1 * p->in_zero_point;
    sum[2] = s2 * p->in_zero_point;
    sum[3] = s3 * p->in_zero_point;
}

/* All channels of one or two pixels. `input` is the batch's image, `output` the first pixel. */
static void convolve_pixels(const params *p, const mcuc_channels *channels, const window *win,
                            const int8_t *input, int8_t *output)
{
    const mcuc_runs runs = runs_inside(p, win);
    int32_t width = p->filter_width;
    int32_t filter_size = p->filter_height * width * p->group_in_channels;
    int32_t first_tap = win->rows.begin * width + win->cols.begin;
    int32_t in_channels = p->groups * p->group_in_channels;
    int32_t outside = p->in_zero_point != 0 && (runs.rows < p->filter_height ||
                                                win->cols.end - win->cols.begin < p->filter_width);
    const int8_t *w = p->filter;
    static const int32_t nothing[4];
    int32_t sums_outside[4];
    const int32_t *start = outside ? sums_outside : nothing;
    int32_t channel = 0;

    if (runs.rows > 0) {
        input += ((win->rows.start + win->rows.begin * p->dilation_h) * p->in_width +
                  win->cols.start + win->cols.begin * p->dilation_w) *
                 in_channels;
    } else {
        first_tap = 0;
    }
    for (int32_t group = 0; group < p->groups; group++) {
        int32_t left = p->group_out_channels;
        while (left > 0) {
            int32_t lanes = left < 4 ? left : 4;
            mcuc_sums sums;
            if (outside) {
                sum_outside(p, win, w, lanes, sums_outside);
            }
            mcuc_dot_block(&runs, input, p->stride_w * in_channels, win->pixels,
                           w + first_tap * p->group_in_channels * lanes, lanes, start, &sums);
            mcuc_requantize_block(channels, &sums, channel, lanes, win->pixels,
                                  p->groups * p->group_out_channels, output);
            w += lanes * filter_size;
            channel += lanes;
            left -= lanes;
        }
        input += p->group_in_channels;
    }
}

/* One row of output pixels. */
static void convolve_row(const params *p, const mcuc_channels *channels, window *win,
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
        convolve_pixels(p, channels, win, input, output);
        output += win->pixels * p->groups * p->group_out_channels;
        x += win->pixels;
    }
}

void mcuc_conv_2d_s8(const mcuc_conv_2d_s8_params *p, const int8_t *input, int8_t *output)
{
    const mcuc_channels channels = {
        p->bias, p->multiplier, p->right_shift, p->out_zero_point, p->out_min, p->out_max,
    };
    int32_t image = p->in_height * p->in_width * p->groups * p->group_in_channels;
    int32_t out_row = p->out_width * p->groups * p->group_out_channels;
    window win;

    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            win.rows = mcuc_taps_inside(y * p->stride_h - p->pad_top, p->filter_height,
                                        p->dilation_h, p->in_height);
            convolve_row(p, &channels, &win, input, output);
            output += out_row;
        }
        input += image;
    }
}
