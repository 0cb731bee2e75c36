/*
 * mcuc_plain_conv.h: the loops of the convolutions that read their filter as it is.
 *
 * A skeleton: a kernel defines MCUC_CONV_PARAMS, mcuc_conv_value (elements of input and output),
 * mcuc_conv_weight, mcuc_conv_sum and two functions, and includes this:
 *
 *   mcuc_conv_product  of an input and a weight
 *   mcuc_conv_finish   an output of a channel from its sum of products
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_PLAIN_CONV_H
#define MCUC_PLAIN_CONV_H

#include "mcuc_window.h"

/* The sum of products of one output channel, over the taps inside the image. */
static inline mcuc_conv_sum mcuc_conv_dot(const MCUC_CONV_PARAMS *p, const mcuc_taps *rows,
                                          const mcuc_taps *cols, const mcuc_conv_value *image,
                                          const mcuc_conv_weight *filter)
{
    int32_t channels = p->groups * p->group_in_channels;
    mcuc_conv_sum sum = 0;

    for (int32_t ky = rows->begin; ky < rows->end; ky++) {
        int32_t y = rows->start + ky * p->dilation_h;
        for (int32_t kx = cols->begin; kx < cols->end; kx++) {
            int32_t x = cols->start + kx * p->dilation_w;
            const mcuc_conv_value *pixel = image + (y * p->in_width + x) * channels;
            const mcuc_conv_weight *w = filter + (ky * p->filter_width + kx) * p->group_in_channels;
            for (int32_t c = 0; c < p->group_in_channels; c++) {
                sum += mcuc_conv_product(p, pixel[c], w[c]);
            }
        }
    }
    return sum;
}

/* All channels of one pixel. */
static inline void mcuc_conv_pixel(const MCUC_CONV_PARAMS *p, const mcuc_taps *rows,
                                   const mcuc_taps *cols, const mcuc_conv_value *image,
                                   mcuc_conv_value *output)
{
    int32_t taps = p->filter_height * p->filter_width * p->group_in_channels;
    int32_t outputs = p->groups * p->group_out_channels;

    for (int32_t channel = 0; channel < outputs; channel++) {
        int32_t group = channel / p->group_out_channels;
        mcuc_conv_sum sum = mcuc_conv_dot(p, rows, cols, image + group * p->group_in_channels,
                                          p->filter + channel * taps);
        output[channel] = mcuc_conv_finish(p, sum, channel);
    }
}

static inline void mcuc_conv_run(const MCUC_CONV_PARAMS *p, const mcuc_conv_value *input,
                                 mcuc_conv_value *output)
{
    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            mcuc_taps rows = mcuc_taps_inside(y * p->stride_h - p->pad_top, p->filter_height,
                                              p->dilation_h, p->in_height);
            for (int32_t x = 0; x < p->out_width; x++) {
                mcuc_taps cols = mcuc_taps_inside(x * p->stride_w - p->pad_left, p->filter_width,
                                                  p->dilation_w, p->in_width);
                mcuc_conv_pixel(p, &rows, &cols, input, output);
                output += p->groups * p->group_out_channels;
            }
        }
        input += p->in_height * p->in_width * p->groups * p->group_in_channels;
    }
}

#endif
