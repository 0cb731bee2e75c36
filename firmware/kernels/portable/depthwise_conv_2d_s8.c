/*
 * mcuc_depthwise_conv_2d_s8: see mcuc/depthwise_conv_2d_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/depthwise_conv_2d_s8.h"

#include "mcuc_math.h"
#include "mcuc_window.h"

typedef mcuc_depthwise_conv_2d_s8_params params;

/* The taps of a pixel inside the image, as a rectangle of the filter, and the bytes between them. */
typedef struct {
    int32_t rows;
    int32_t cols;
    int32_t x_col; /* from tap to tap in the input */
    int32_t x_row; /* from the end of a row of taps to the next, in the input */
    int32_t w_col;
    int32_t w_row;
} rectangle;

/* acc[i] = sum of the products at x[i], w[i] over the rectangle, for four channels. */
static MCUC_NOINLINE void sum_taps_4(const rectangle *r, const int8_t *x, const int8_t *w,
                                     int32_t *acc)
{
    int32_t a0 = acc[0];
    int32_t a1 = acc[1];
    int32_t a2 = acc[2];
    int32_t a3 = acc[3];
    int32_t x_col = r->x_col;
    int32_t w_col = r->w_col;

    for (int32_t rows = r->rows; rows > 0; rows--) {
        for (int32_t cols = r->cols; cols > 0; cols--) {
            a0 += x[0] * w[0];
            a1 += x[1] * w[1];
            a2 += x[2] * w[2];
            a3 += x[3] * w[3];
            x += x_col;
            w += w_col;
        }
        x += r->x_row;
        w += r->w_row;
    }
    acc[0] = a0;
    acc[1] = a1;
    acc[2] = a2;
    acc[3] = a3;
}

/* The same for the 1 to 3 channels that four leave over. */
static MCUC_NOINLINE void sum_taps_n(const rectangle *r, const int8_t *x, const int8_t *w,
                                     int32_t lanes, int32_t *acc)
{
    for (int32_t rows = r->rows; rows > 0; rows--) {
        for (int32_t cols = r->cols; cols > 0; cols--) {
            for (int32_t i = 0; i < lanes; i++) {
                acc[i] += x[i] * w[i];
            }
            x += r->x_col;
            w += r->w_col;
        }
        x += r->x_row;
        w += r->w_row;
    }
}

/* acc[i] = in_zero_point * sum of the weights at w[i] whose taps are outside the image. */
static MCUC_NOINLINE void sum_outside(const params *p, const mcuc_taps *rows,
                                      const mcuc_taps *cols, const int8_t *w, int32_t lanes,
                                      int32_t *acc)
{
    for (int32_t ky = 0; ky < p->filter_height; ky++) {
        int32_t row_inside = ky >= rows->begin && ky < rows->end;
        for (int32_t kx = 0; kx < p->filter_width; kx++) {
            if (!row_inside || kx < cols->begin || kx >= cols->end) {
                for (int32_t i = 0; i < lanes; i++) {
                    acc[i] += w[i];
                }
            }
            w += p->channels;
        }
    }
    for (int32_t i = 0; i < lanes; i++) {
        acc[i] *= p->in_zero_point;
    }
}

/* All channels of one pixel. */
static void convolve_pixel(const params *p, const mcuc_taps *rows, const mcuc_taps *cols,
                           const int8_t *input, int8_t *output)
{
    int32_t channels = p->channels;
    int32_t y = rows->start + rows->begin * p->dilation_h;
    int32_t x = cols->start + cols->begin * p->dilation_w;
    const int8_t *w = p->filter;
    rectangle r;
    int32_t lanes;

    r.rows = rows->end - rows->begin;
    r.cols = cols->end - cols->begin;
    r.x_col = p->dilation_w * channels;
    r.x_row = p->dilation_h * p->in_width * channels - r.cols * r.x_col;
    r.w_col = channels;
    r.w_row = (p->filter_width - r.cols) * channels;
    int32_t first = (rows->begin * p->filter_width + cols->begin) * channels;
    int32_t outside = r.rows < p->filter_height || r.cols < p->filter_width;
    if (r.rows > 0 && r.cols > 0) {
        input += (y * p->in_width + x) * channels;
    } else {
        r.rows = 0;
        first = 0;
    }
    for (int32_t channel = 0; channel < channels; channel += lanes) {
        int32_t acc[4] = {0, 0, 0, 0};
        lanes = channels - channel < 4 ? channels - channel : 4;
        if (outside && p->in_zero_point != 0) {
            sum_outside(p, rows, cols, w + channel, lanes, acc);
        }
        if (lanes < 4) {
            sum_taps_n(&r, input + channel, w + first + channel, lanes, acc);
        } else {
            sum_taps_4(&r, input + channel, w + first + channel, acc);
        }
        mcuc_requantize_lanes(acc, lanes, p->bias + channel, p->multiplier + channel,
                              p->right_shift + channel, p->out_zero_point, p->out_min, p->out_max,
                              output + channel);
    }
}

void mcuc_depthwise_conv_2d_s8(const mcuc_depthwise_conv_2d_s8_params *p, const int8_t *input,
                               int8_t *output)
{
    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            mcuc_taps rows = mcuc_taps_inside(y * p->stride_h - p->pad_top, p->filter_height,
                                              p->dilation_h, p->in_height);
            for (int32_t x = 0; x < p->out_width; x++) {
                mcuc_taps cols = mcuc_taps_inside(x * p->stride_w - p->pad_left, p->filter_width,
                                                  p->dilation_w, p->in_width);
                convolve_pixel(p, &rows, &cols, input, output);
                output += p->channels;
            }
        }
        input += p->in_height * p->in_width * p->channels;
    }
}
