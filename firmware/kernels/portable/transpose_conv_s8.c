/*
 * mcuc_transpose_conv_s8: see mcuc/transpose_conv_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/transpose_conv_s8.h"

#include "mcuc_math.h"

/* Along one axis: inputs [begin, end) reach an output, each through the tap at -i * stride. */
typedef struct {
    int32_t begin;
    int32_t end;
    int32_t tap; /* of input 0; beyond the filter where that does not reach */
} reach;

static inline reach inputs_of(int32_t place, int32_t taps, int32_t stride, int32_t size)
{
    reach r = {0, size, place};
    if (place >= taps) {
        r.begin = (place - taps) / stride + 1;
    }
    if (place / stride + 1 < size) {
        r.end = place / stride + 1;
    }
    return r;
}

/* The sum of products of one output, from the inputs that reach it. */
static inline uint32_t gather(const mcuc_transpose_conv_s8_params *p, const reach *rows,
                              const reach *cols, const int8_t *image, const int8_t *filter)
{
    uint32_t sum = 0;

    for (int32_t y = rows->begin; y < rows->end; y++) {
        int32_t ky = rows->tap - y * p->stride_h;
        const int8_t *taps = filter + ky * p->filter_width * p->in_channels;
        for (int32_t x = cols->begin; x < cols->end; x++) {
            const int8_t *pixel = image + (y * p->in_width + x) * p->in_channels;
            const int8_t *w = taps + (cols->tap - x * p->stride_w) * p->in_channels;
            for (int32_t c = 0; c < p->in_channels; c++) {
                sum += (uint32_t)((pixel[c] - p->in_zero_point) * w[c]);
            }
        }
    }
    return sum;
}

/* All channels of one pixel. */
static void convolve_pixel(const mcuc_transpose_conv_s8_params *p, const reach *rows,
                           const reach *cols, const int8_t *image, int8_t *output)
{
    int32_t taps = p->filter_height * p->filter_width * p->in_channels;

    for (int32_t channel = 0; channel < p->out_channels; channel++) {
        uint32_t sum = gather(p, rows, cols, image, p->filter + channel * taps);
        output[channel] =
            mcuc_requantize(sum + (uint32_t)p->bias[channel], p->multiplier[channel],
                            p->right_shift[channel], p->out_zero_point, p->out_min, p->out_max);
    }
}

void mcuc_transpose_conv_s8(const mcuc_transpose_conv_s8_params *p, const int8_t *input,
                            int8_t *output)
{
    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            reach rows = inputs_of(y + p->pad_top, p->filter_height, p->stride_h, p->in_height);
            for (int32_t x = 0; x < p->out_width; x++) {
                reach cols = inputs_of(x + p->pad_left, p->filter_width, p->stride_w, p->in_width);
                convolve_pixel(p, &rows, &cols, input, output);
                output += p->out_channels;
            }
        }
        input += p->in_height * p->in_width * p->in_channels;
    }
}
