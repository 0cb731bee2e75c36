/*
 * mcuc_pool_2d_s16: see mcuc/pool_2d_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/pool_2d_s16.h"

#include "mcuc_math.h"
#include "mcuc_window.h"

/* The mean or maximum of one channel over the taps inside the image. */
static inline int32_t pool(const mcuc_pool_2d_s16_params *p, const mcuc_taps *rows,
                           const mcuc_taps *cols, const int16_t *image)
{
    int32_t max = INT16_MIN;
    int32_t sum = 0;
    int32_t count = (rows->end - rows->begin) * (cols->end - cols->begin);

    for (int32_t y = rows->start + rows->begin; y < rows->start + rows->end; y++) {
        for (int32_t x = cols->start + cols->begin; x < cols->start + cols->end; x++) {
            int32_t value = image[(y * p->in_width + x) * p->channels];
            sum += value;
            max = value > max ? value : max;
        }
    }
    if (p->operation == '>') {
        return max;
    }
    return (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
}

void mcuc_pool_2d_s16(const mcuc_pool_2d_s16_params *p, const int16_t *input, int16_t *output)
{
    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            mcuc_taps rows =
                mcuc_taps_inside(y * p->stride_h - p->pad_top, p->filter_height, 1, p->in_height);
            for (int32_t x = 0; x < p->out_width; x++) {
                mcuc_taps cols = mcuc_taps_inside(x * p->stride_w - p->pad_left, p->filter_width, 1,
                                                  p->in_width);
                for (int32_t c = 0; c < p->channels; c++) {
                    int32_t value = pool(p, &rows, &cols, input + c);
                    *output++ = (int16_t)mcuc_clamp(value, p->out_min, p->out_max);
                }
            }
        }
        input += p->in_height * p->in_width * p->channels;
    }
}
