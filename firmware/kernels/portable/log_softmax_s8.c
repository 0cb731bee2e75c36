/*
 * mcuc_log_softmax_s8: see mcuc/log_softmax_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/log_softmax_s8.h"

#include "mcuc_log.h"
#include "mcuc_softmax.h"

void mcuc_log_softmax_s8(const mcuc_log_softmax_s8_params *p, const int8_t *input, int8_t *output)
{
    const mcuc_softmax_scaling scaling = {p->depth, p->multiplier, p->diff_min, p->left_shift};

    for (int32_t row = 0; row < p->rows; row++) {
        int32_t max = mcuc_softmax_max(&scaling, input);
        int32_t log_sum = mcuc_log((int32_t)mcuc_softmax_sum(&scaling, input, max));
        int32_t least = mcuc_scale((uint32_t)log_sum + 0x80000000u, p->reverse_multiplier,
                                   p->reverse_right_shift, 0);
        least = least > p->diff_min - 1 ? least : p->diff_min - 1;
        for (int32_t i = 0; i < p->depth; i++) {
            int32_t value = INT8_MIN;
            if (input[i] - max > least) {
                value = mcuc_softmax_difference(&scaling, input[i] - max) - log_sum;
                value = mcuc_divide_pot(value, 22) + INT8_MAX;
            }
            output[i] = (int8_t)mcuc_clamp(value, INT8_MIN, INT8_MAX);
        }
        input += p->depth;
        output += p->depth;
    }
}
