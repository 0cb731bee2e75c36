/*
 * mcuc_average_pool_2d_s8__row_sums: see mcuc/average_pool_2d_s8__row_sums.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/average_pool_2d_s8__row_sums.h"

#include "mcuc_row_sums.h"

void mcuc_average_pool_2d_s8__row_sums(const mcuc_average_pool_2d_s8__row_sums_params *p,
                                       const void *const *rows, void *state, void *output,
                                       int32_t row)
{
    const mcuc_row_sums sums = {state, p->channels, p->is_wide};
    int32_t count = p->height * p->width;
    int8_t *to = (int8_t *)output;

    mcuc_row_sums_add(&sums, (const int8_t *)rows[0], p->width, row == 0);
    if (row != p->height - 1) {
        return;
    }
    for (int32_t channel = 0; channel < p->channels; channel++) {
        int32_t sum = mcuc_row_sum(&sums, channel);
        int32_t mean = (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
        to[channel] = (int8_t)mcuc_clamp(mean, p->out_min, p->out_max);
    }
}
