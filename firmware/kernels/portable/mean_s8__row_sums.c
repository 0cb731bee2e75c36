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
    const mcuc_row_sums sums = {state, p->channels, p->is_wide};
    int8_t *to = (int8_t *)output;

    mcuc_row_sums_add(&sums, (const int8_t *)rows[0], p->width, row == 0);
    if (row != p->height - 1) {
        return;
    }
    for (int32_t channel = 0; channel < p->channels; channel++) {
        uint32_t sum = (uint32_t)(mcuc_row_sum(&sums, channel) + p->offset);
        to[channel] = mcuc_requantize(sum, p->multiplier, p->right_shift, p->out_zero_point,
                                      INT8_MIN, INT8_MAX);
    }
}
