/*
 * mcuc_sigmoid_s16: see mcuc/sigmoid_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/sigmoid_s16.h"

#include "mcuc_sigmoid.h"

void mcuc_sigmoid_s16(const mcuc_sigmoid_s16_params *p, const int16_t *input, int16_t *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        int32_t x = mcuc_sigmoid_argument(input[i], p->multiplier, p->shift);
        output[i] = p->is_tanh ? mcuc_tanh_s16(p->table, x) : mcuc_logistic_s16(p->table, x);
    }
}
