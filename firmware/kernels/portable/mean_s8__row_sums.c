/*
 * mcuc_mean_s8__row_sums: see mcuc/mean_s8__row_sums.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/mean_s8__row_sums.h"

#include "mcuc_row_sums.h"

void mcuc_mean_s8__row_sums(const mcuc_mean_s8__row_sums_params *p, const void *const *rows,
                            void *state, void *output, int32_t row)
{
    const int8_t *from = (const int8_t *)rows[0];
    int8_t *to = (int8_t *)output;

    for (int32_t channel = 0; channel < p->channels; channel++) {
        int32_t sum = row == 0 ? 0 : mcuc_row_sum(state, p->is_wide, channel);
        sum += mcuc_row_sum_pixels(from + channel, p->width, p->channels);
        mcuc_row_sum_set(state, p->is_wide, channel, sum);
        if (row == p->height - 1) {
            to[channel] = mcuc_requantize((uint32_t)(sum + p->offset), p->multiplier,
                                          p->right_shift, p->out_zero_point, INT8_MIN, INT8_MAX);
        }
    }
}
