/*
 * mcuc_softmax_s8: see mcuc/softmax_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/softmax_s8.h"

#include "mcuc_softmax.h"

static void softmax_row(const mcuc_softmax_scaling *s, const int8_t *input, int8_t *output)
{
    int32_t max = mcuc_softmax_max(s, input);
    uint32_t sum = mcuc_softmax_sum(s, input, max);
    int32_t zeros = mcuc_leading_zeros(sum);
    int32_t reciprocal = mcuc_softmax_reciprocal(sum, zeros);

    for (int32_t i = 0; i < s->depth; i++) {
        int32_t result = mcuc_softmax_value(s, input[i] - max, reciprocal, zeros, 8) - 128;
        output[i] = (int8_t)(result > 127 ? 127 : result);
    }
}

void mcuc_softmax_s8(const mcuc_softmax_s8_params *p, const int8_t *input, int8_t *output)
{
    const mcuc_softmax_scaling scaling = {p->depth, p->multiplier, p->diff_min, p->left_shift};

    for (int32_t row = 0; row < p->rows; row++) {
        softmax_row(&scaling, input, output);
        input += p->depth;
        output += p->depth;
    }
}
