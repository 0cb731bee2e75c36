/*
 * mcuc_average_pool_2d_s8: see mcuc/average_pool_2d_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/average_pool_2d_s8.h"

#include "mcuc_math.h"
#include "mcuc_window.h"

/* The mean of one channel over rows x cols pixels. */
static inline int32_t pool(const int8_t *x, int32_t rows, int32_t cols, int32_t col_step,
                           int32_t row_step)
{
    int32_t sum = 0;
    for (int32_t ky = 0; ky < rows; ky++) {
        for (int32_t kx = 0; kx < cols; kx++) {
            sum += x[0];
            x += col_step;
        }
        x += row_step;
    }
    int32_t count = rows * cols;
    return (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
}

/* All channels of one pixel. */
static void pool_pixel(const mcuc_average_pool_2d_s8_params *p, const mcuc_taps *rows,
                       const mcuc_taps *cols, const int8_t *input, int8_t *output)
{
    int32_t channels = p->channels;
    int32_t inside_rows = rows->end - rows->begin;
    int32_t inside_cols = cols->end - cols->begin;
    int32_t row_step = (p->in_width - inside_cols) * channels;

    input += ((rows->start + rows->begin) * p->in_width + cols->start + cols->begin) * channels;
    for (int32_t channel = 0; channel < channels; channel++) {
        int32_t value = pool(input + channel, inside_rows, inside_cols, channels, row_step);
        output[channel] = (int8_t)mcuc_clamp(value, p->out_min, p->out_max);
    }
}

void mcuc_average_pool_2d_s8(const mcuc_average_pool_2d_s8_params *p, const int8_t *input,
                             int8_t *output)
{
    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            mcuc_taps rows =
                mcuc_taps_inside(y * p->stride_h - p->pad_top, p->filter_height, 1, p->in_height);
            for (int32_t x = 0; x < p->out_width; x++) {
                mcuc_taps cols = mcuc_taps_inside(x * p->stride_w - p->pad_left, p->filter_width, 1,
                                                  p->in_width);
                pool_pixel(p, &rows, &cols, input, output);
                output += p->channels;
            }
        }
        input += p->in_height * p->in_width * p->channels;
    }
}
