/*
 * mcuc_max_pool_2d_s8__rows: see mcuc/max_pool_2d_s8__rows.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/max_pool_2d_s8__rows.h"

#include "mcuc_math.h"
#include "mcuc_window.h"

/* The maximum of one channel over `cols` pixels of each row from byte `at` on. */
static inline int32_t pool(const void *const *rows, int32_t height, int32_t at, int32_t cols,
                           int32_t col_step)
{
    int32_t max = INT8_MIN;
    for (int32_t ky = 0; ky < height; ky++) {
        if (rows[ky] == NULL) {
            continue;
        }
        const int8_t *x = (const int8_t *)rows[ky] + at;
        for (int32_t kx = 0; kx < cols; kx++) {
            max = x[0] > max ? x[0] : max;
            x += col_step;
        }
    }
    return max;
}

void mcuc_max_pool_2d_s8__rows(const mcuc_max_pool_2d_s8__rows_params *p, const void *const *rows,
                               void *output)
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
