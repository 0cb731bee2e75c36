/*
 * mcuc_softmax_s8_s16: see mcuc/softmax_s8_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/softmax_s8_s16.h"

#include "mcuc_softmax.h"

void mcuc_softmax_s8_s16(const mcuc_softmax_s8_s16_params *p, const int8_t *input, int16_t *output)
{
    const mcuc_softmax_scaling scaling = {p->depth, p->multiplier, p->diff_min, p->left_shift};

    for (int32_t row = 0; row < p->rows; row++) {
        int32_t max = mcuc_softmax_max(&scaling, input);
        uint32_t sum = mcuc_softmax_sum(&scaling, input, max);
        int32_t zeros = mcuc_leading_zeros(sum);
        int32_t reciprocal = mcuc_softmax_reciprocal(sum, zeros);
        for (int32_t i = 0; i < p->depth; i++) {
            int32_t value = mcuc_softmax_value(&scaling, input[i] - max, reciprocal, zeros, 16);
            output[i] = (int16_t)mcuc_clamp(value + INT16_MIN, INT16_MIN, INT16_MAX);
        }
        input += p->depth;
        output += p->depth;
    }
}
