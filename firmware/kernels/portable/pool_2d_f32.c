/*
 * mcuc_pool_2d_f32: see mcuc/pool_2d_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/pool_2d_f32.h"

#include <float.h>
#include <math.h>

#include "mcuc_float.h"
#include "mcuc_window.h"

/* The mean, maximum or root mean square of one channel over the taps inside the image. */
static inline float pool(const mcuc_pool_2d_f32_params *p, const mcuc_taps *rows,
                         const mcuc_taps *cols, const float *image)
{
    float max = -FLT_MAX;
    float sum = 0.0f;
    float count = (float)((rows->end - rows->begin) * (cols->end - cols->begin));

    for (int32_t y = rows->start + rows->begin; y < rows->start + rows->end; y++) {
        for (int32_t x = cols->start + cols->begin; x < cols->start + cols->end; x++) {
            float value = image[(y * p->in_width + x) * p->channels];
            sum += p->operation == '2' ? value * value : value;
            max = max < value ? value : max;
        }
    }
    if (p->operation == '>') {
        return max;
    }
    return p->operation == '2' ? sqrtf(sum / count) : sum / count;
}

void mcuc_pool_2d_f32(const mcuc_pool_2d_f32_params *p, const float *input, float *output)
{
    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            mcuc_taps rows =
                mcuc_taps_inside(y * p->stride_h - p->pad_top, p->filter_height, 1, p->in_height);
            for (int32_t x = 0; x < p->out_width; x++) {
                mcuc_taps cols = mcuc_taps_inside(x * p->stride_w - p->pad_left, p->filter_width, 1,
                                                  p->in_width);
                for (int32_t c = 0; c < p->channels; c++) {
                    float value = pool(p, &rows, &cols, input + c);
                    *output++ = mcuc_clamp_f32(value, p->out_min, p->out_max);
                }
            }
        }
        input += p->in_height * p->in_width * p->channels;
    }
}
