/*
 * mcuc_average_pool_2d_s8__dsp: see mcuc/average_pool_2d_s8__dsp.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/average_pool_2d_s8__dsp.h"

#include "mcuc_dsp.h"

/* The mean of a sum, rounded half away from zero. */
static inline int8_t mean(int32_t sum, int32_t count)
{
    return (int8_t)((sum > 0 ? sum + count / 2 : sum - count / 2) / count);
}

/* Four channels of a window of the image. */
static inline void pool(const mcuc_average_pool_2d_s8__dsp_params *p, const int8_t *input,
                        int8_t *output)
{
    const int32_t channels = p->channels;
    const int32_t next_row = (p->in_width - p->filter_width) * channels;
    const int32_t count = p->filter_height * p->filter_width;
    uint32_t even = 0;
    uint32_t odd = 0;

    for (int32_t rows = p->filter_height; rows > 0; rows--) {
        int32_t cols = p->filter_width;
        for (; cols > 1; cols -= 2) {
            uint32_t first = mcuc_load4(input);
            uint32_t second = mcuc_load4(input + channels);
            even = mcuc_add_even(mcuc_add_even(even, first), second);
            odd = mcuc_add_odd(mcuc_add_odd(odd, first), second);
            input += 2 * channels;
        }
        if (cols > 0) {
            uint32_t last = mcuc_load4(input);
            even = mcuc_add_even(even, last);
            odd = mcuc_add_odd(odd, last);
            input += channels;
        }
        input += next_row;
    }
    output[0] = mean((int16_t)even, count);
    output[1] = mean((int16_t)odd, count);
    output[2] = mean((int32_t)even >> 16, count);
    output[3] = mean((int32_t)odd >> 16, count);
}

void mcuc_average_pool_2d_s8__dsp(const mcuc_average_pool_2d_s8__dsp_params *p, const int8_t *input,
                                  int8_t *output)
{
    const int32_t row = p->in_width * p->channels;

    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            const int8_t *window = input + y * p->stride_h * row;
            for (int32_t x = 0; x < p->out_width; x++) {
                for (int32_t channel = 0; channel < p->channels; channel += 4) {
                    pool(p, window + channel, output + channel);
                }
                window += p->stride_w * p->channels;
                output += p->channels;
            }
        }
        input += p->in_height * row;
    }
}
