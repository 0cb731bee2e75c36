/*
 * mcuc_conv_2d_s16: see mcuc/conv_2d_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_s16.h"

#include "mcuc_wide_sums.h"
#include "mcuc_window.h"

/* The sum of products of one output channel, over the taps inside the image. */
static inline int64_t dot(const mcuc_conv_2d_s16_params *p, const mcuc_taps *rows,
                          const mcuc_taps *cols, const int16_t *image, const int8_t *filter)
{
    int32_t channels = p->groups * p->group_in_channels;
    int64_t sum = 0;

    for (int32_t ky = rows->begin; ky < rows->end; ky++) {
        int32_t y = rows->start + ky * p->dilation_h;
        for (int32_t kx = cols->begin; kx < cols->end; kx++) {
            int32_t x = cols->start + kx * p->dilation_w;
            const int16_t *pixel = image + (y * p->in_width + x) * channels;
            const int8_t *w = filter + (ky * p->filter_width + kx) * p->group_in_channels;
            for (int32_t c = 0; c < p->group_in_channels; c++) {
                sum += pixel[c] * w[c];
            }
        }
    }
    return sum;
}

static inline int16_t finish(const mcuc_conv_2d_s16_params *p, int64_t sum, int32_t channel)
{
    return mcuc_requantize_s16(sum, p->bias[channel], p->multiplier[channel],
                               p->right_shift[channel], p->is_wide, p->out_min, p->out_max);
}

/* All channels of one pixel. */
static void convolve_pixel(const mcuc_conv_2d_s16_params *p, const mcuc_taps *rows,
                           const mcuc_taps *cols, const int16_t *image, int16_t *output)
{
    int32_t taps = p->filter_height * p->filter_width * p->group_in_channels;
    int32_t outputs = p->groups * p->group_out_channels;

    for (int32_t channel = 0; channel < outputs; channel++) {
        int32_t group = channel / p->group_out_channels;
        int64_t sum =
            dot(p, rows, cols, image + group * p->group_in_channels, p->filter + channel * taps);
        output[channel] = finish(p, sum, channel);
    }
}

void mcuc_conv_2d_s16(const mcuc_conv_2d_s16_params *p, const int16_t *input, int16_t *output)
{
    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            mcuc_taps rows = mcuc_taps_inside(y * p->stride_h - p->pad_top, p->filter_height,
                                              p->dilation_h, p->in_height);
            for (int32_t x = 0; x < p->out_width; x++) {
                mcuc_taps cols = mcuc_taps_inside(x * p->stride_w - p->pad_left, p->filter_width,
                                                  p->dilation_w, p->in_width);
                convolve_pixel(p, &rows, &cols, input, output);
                output += p->groups * p->group_out_channels;
            }
        }
        input += p->in_height * p->in_width * p->groups * p->group_in_channels;
    }
}
