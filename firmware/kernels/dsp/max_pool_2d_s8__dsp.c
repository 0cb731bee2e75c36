/*
 * mcuc_max_pool_2d_s8__dsp: see mcuc/max_pool_2d_s8__dsp.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/max_pool_2d_s8__dsp.h"

#include "mcuc_dsp.h"
#include "mcuc_window.h"

/* The larger of each of four bytes: where a - b is not negative, that of a. */
static inline uint32_t larger(uint32_t a, uint32_t b)
{
    uint32_t result;
    __asm__("ssub8 %0, %1, %2\n\tsel %0, %1, %2" : "=&r"(result) : "r"(a), "r"(b));
    return result;
}

/* Four channels of rows x cols pixels; `next_row` is from behind a row to the next. */
static inline void pool(const int8_t *input, int32_t rows, int32_t cols, int32_t channels,
                        int32_t next_row, int8_t *output)
{
    uint32_t max = mcuc_load4(input);

    for (; rows > 0; rows--) {
        int32_t left = cols;
        for (; left > 1; left -= 2) {
            max = larger(max, larger(mcuc_load4(input), mcuc_load4(input + channels)));
            input += 2 * channels;
        }
        if (left > 0) {
            max = larger(max, mcuc_load4(input));
            input += channels;
        }
        input += next_row;
    }
    (void)memcpy(output, &max, sizeof max);
}

void mcuc_max_pool_2d_s8__dsp(const mcuc_max_pool_2d_s8__dsp_params *p, const int8_t *input,
                              int8_t *output)
{
    const int32_t channels = p->channels;

    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            const mcuc_taps rows =
                mcuc_taps_inside(y * p->stride_h - p->pad_top, p->filter_height, 1, p->in_height);
            const int8_t *row = input + (rows.start + rows.begin) * p->in_width * channels;
            for (int32_t x = 0; x < p->out_width; x++) {
                const mcuc_taps cols = mcuc_taps_inside(x * p->stride_w - p->pad_left,
                                                        p->filter_width, 1, p->in_width);
                const int32_t inside = cols.end - cols.begin;
                const int8_t *window = row + (cols.start + cols.begin) * channels;
                for (int32_t channel = 0; channel < channels; channel += 4) {
                    pool(window + channel, rows.end - rows.begin, inside, channels,
                         (p->in_width - inside) * channels, output + channel);
                }
                output += channels;
            }
        }
        input += p->in_height * p->in_width * channels;
    }
}
