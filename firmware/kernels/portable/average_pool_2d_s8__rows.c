/*
 * mcuc_average_pool_2d_s8__rows: see mcuc/average_pool_2d_s8__rows.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/average_pool_2d_s8__rows.h"

#include "mcuc_math.h"
#include "mcuc_window.h"

/* The mean of one channel over `cols` pixels of each row from byte `at` on. */
static inline int32_t pool(const void *const *rows, int32_t height, int32_t at, int32_t cols,
                           int32_t col_step)
{
    int32_t sum = 0;
    int32_t count = 0;
    for (int32_t ky = 0; ky < height; ky++) {
        if (rows[ky] == NULL) {
            continue;
        }
        const int8_t *x = (const int8_t *)rows[ky] + at;
        for (int32_t kx = 0; kx < cols; kx++) {
            sum += x[0];
            x += col_step;
        }
        count += cols;
    }
    return (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
}

void mcuc_average_pool_2d_s8__rows(const mcuc_average_pool_2d_s8__rows_params *p,
                                   const void *const *rows, void *output)
{
    int32_t channels = p->channels;
    int8_t *to = (int8_t *)output;

    for (int32_t x = 0; x < p->out_width; x++) {
        mcuc_taps cols =
            mcuc_taps_inside(x * p->stride_w - p->pad_left, p->filter_width, 1, p->in_width);
        int32_t at = (cols.start + cols.begin) * channels;
        for (int32_t channel = 0; channel < channels; channel++) {
            int32_t value =
                pool(rows, p->filter_height, at + channel, cols.end - cols.begin, channels);
            *to++ = (int8_t)mcuc_clamp(value, p->out_min, p->out_max);
        }
    }
}
