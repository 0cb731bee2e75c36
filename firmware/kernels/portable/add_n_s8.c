/*
 * mcuc_add_n_s8: see mcuc/add_n_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/add_n_s8.h"

#include "mcuc_math.h"

void mcuc_add_n_s8(const mcuc_add_n_s8_params *p, const void *const *inputs, int8_t *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        uint32_t sum = (uint32_t)-p->zero_point << 19;
        for (int32_t k = 0; k < p->count; k++) {
            const int8_t *x = (const int8_t *)inputs[k];
            sum += (uint32_t)(x[i] - p->zero_point) << 19;
        }
        output[i] = mcuc_requantize(sum, p->multiplier, p->right_shift, p->out_zero_point, INT8_MIN,
                                    INT8_MAX);
    }
}
