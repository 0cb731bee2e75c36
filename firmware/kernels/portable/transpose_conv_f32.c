/*
 * mcuc_transpose_conv_f32: see mcuc/transpose_conv_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/transpose_conv_f32.h"

#include "mcuc_float.h"

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
static inline float gather(const mcuc_transpose_conv_f32_params *p, const reach *rows,
                           const reach *cols, const float *image, const float *filter)
{
    float sum = 0.0f;

    for (int32_t y = rows->begin; y < rows->end; y++) {
        int32_t ky = rows->tap - y * p->stride_h;
        const float *taps = filter + ky * p->filter_width * p->in_channels;
        for (int32_t x = cols->begin; x < cols->end; x++) {
            const float *pixel = image + (y * p->in_width + x) * p->in_channels;
            const float *w = taps + (cols->tap - x * p->stride_w) * p->in_channels;
            for (int32_t c = 0; c < p->in_channels; c++) {
                sum += pixel[c] * w[c];
            }
        }
    }
    return sum;
}

/* All channels of one pixel. */
static void convolve_pixel(const mcuc_transpose_conv_f32_params *p, const reach *rows,
                           const reach *cols, const float *image, float *output)
{
    int32_t taps = p->filter_height * p->filter_width * p->in_channels;

    for (int32_t channel = 0; channel < p->out_channels; channel++) {
        float sum = gather(p, rows, cols, image, p->filter + channel * taps);
        output[channel] = mcuc_clamp_f32(sum + p->bias[channel], p->out_min, p->out_max);
    }
}

void mcuc_transpose_conv_f32(const mcuc_transpose_conv_f32_params *p, const float *input,
                             float *output)
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
