/*
 * mcuc_transpose_conv.h: the loops of all transposed convolutions.
 *
 * A skeleton: a kernel defines MCUC_CONV_PARAMS, mcuc_conv_value (elements of input and output),
 * mcuc_conv_weight, mcuc_conv_sum and two functions, and includes this:
 *
 *   mcuc_conv_product  of an input and a weight
 *   mcuc_conv_finish   an output of a channel from its sum of products
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_TRANSPOSE_CONV_H
#define MCUC_TRANSPOSE_CONV_H

#include "mcuc.h"

/* Along one axis: inputs [begin, end) reach an output, each through the tap at -i * stride. */
typedef struct {
    int32_t begin;
    int32_t end;
    int32_t tap; /* of input 0; beyond the filter where that does not reach */
} mcuc_reach;

static inline mcuc_reach mcuc_inputs_of(int32_t place, int32_t taps, int32_t stride, int32_t size)
{
    mcuc_reach r = {0, size, place};
    if (place >= taps) {
        r.begin = (place - taps) / stride + 1;
    }
    if (place / stride + 1 < size) {
        r.end = place / stride + 1;
    }
    return r;
}

/* The sum of products of one output, from the inputs that reach it. */
static inline mcuc_conv_sum mcuc_conv_gather(const MCUC_CONV_PARAMS *p, const mcuc_reach *rows,
                                             const mcuc_reach *cols, const mcuc_conv_value *image,
                                             const mcuc_conv_weight *filter)
{
    mcuc_conv_sum sum = 0;

    for (int32_t y = rows->begin; y < rows->end; y++) {
        int32_t ky = rows->tap - y * p->stride_h;
        const mcuc_conv_weight *taps = filter + ky * p->filter_width * p->in_channels;
        for (int32_t x = cols->begin; x < cols->end; x++) {
            const mcuc_conv_value *pixel = image + (y * p->in_width + x) * p->in_channels;
            const mcuc_conv_weight *w = taps + (cols->tap - x * p->stride_w) * p->in_channels;
            for (int32_t c = 0; c < p->in_channels; c++) {
                sum += mcuc_conv_product(p, pixel[c], w[c]);
            }
        }
    }
    return sum;
}

/* All channels of one pixel. */
static inline void mcuc_conv_pixel(const MCUC_CONV_PARAMS *p, const mcuc_reach *rows,
                                   const mcuc_reach *cols, const mcuc_conv_value *image,
                                   mcuc_conv_value *output)
{
    int32_t taps = p->filter_height * p->filter_width * p->in_channels;

    for (int32_t channel = 0; channel < p->out_channels; channel++) {
        mcuc_conv_sum sum = mcuc_conv_gather(p, rows, cols, image, p->filter + channel * taps);
        output[channel] = mcuc_conv_finish(p, sum, channel);
    }
}

static inline void mcuc_conv_run(const MCUC_CONV_PARAMS *p, const mcuc_conv_value *input,
                                 mcuc_conv_value *output)
{
    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            mcuc_reach rows =
                mcuc_inputs_of(y + p->pad_top, p->filter_height, p->stride_h, p->in_height);
            for (int32_t x = 0; x < p->out_width; x++) {
                mcuc_reach cols =
                    mcuc_inputs_of(x + p->pad_left, p->filter_width, p->stride_w, p->in_width);
                mcuc_conv_pixel(p, &rows, &cols, input, output);
                output += p->out_channels;
            }
        }
        input += p->in_height * p->in_width * p->in_channels;
    }
}

#endif
