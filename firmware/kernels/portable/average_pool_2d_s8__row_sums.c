/*
 * mcuc_average_pool_2d_s8__row_sums: see mcuc/average_pool_2d_s8__row_sums.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/average_pool_2d_s8__row_sums.h"

#include "mcuc_row_sums.h"
#include "mcuc_window.h"

typedef mcuc_average_pool_2d_s8__row_sums_params params;

static mcuc_taps columns(const params *p, int32_t x)
{
    return mcuc_taps_inside(x * p->stride_w - p->pad_left, p->filter_width, 1, p->in_width);
}

/* Adds a row to the sums, which the first row begins. */
static void add_row(const params *p, const int8_t *row, int32_t is_first, void *state)
{
    int32_t channels = p->channels;
    int32_t place = 0;

    for (int32_t x = 0; x < p->out_width; x++) {
        mcuc_taps cols = columns(p, x);
        const int8_t *from = row + (cols.start + cols.begin) * channels;
        for (int32_t channel = 0; channel < channels; channel++, place++) {
            int32_t sum = is_first ? 0 : mcuc_row_sum(state, p->is_wide, place);
            sum += mcuc_row_sum_pixels(from + channel, cols.end - cols.begin, channels);
            mcuc_row_sum_set(state, p->is_wide, place, sum);
        }
    }
}

/* The means of windows of `rows` rows. */
static void divide(const params *p, int32_t rows, const void *state, int8_t *output)
{
    int32_t place = 0;

    for (int32_t x = 0; x < p->out_width; x++) {
        mcuc_taps cols = columns(p, x);
        int32_t count = rows * (cols.end - cols.begin);
        for (int32_t channel = 0; channel < p->channels; channel++, place++) {
            int32_t sum = mcuc_row_sum(state, p->is_wide, place);
            int32_t mean = (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
            output[place] = (int8_t)mcuc_clamp(mean, p->out_min, p->out_max);
        }
    }
}

void mcuc_average_pool_2d_s8__row_sums(const mcuc_average_pool_2d_s8__row_sums_params *p,
                                       const void *const *rows, void *state, void *output,
                                       int32_t row)
{
    mcuc_taps taps = mcuc_taps_inside(-(int32_t)p->pad_top, p->filter_height, 1, p->in_height);

    add_row(p, (const int8_t *)rows[0], row == taps.start + taps.begin, state);
    if (row == taps.start + taps.end - 1) {
        divide(p, taps.end - taps.begin, state, (int8_t *)output);
    }
}
