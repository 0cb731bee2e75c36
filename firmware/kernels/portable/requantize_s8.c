/*
 * mcuc_requantize_s8: see mcuc/requantize_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/requantize_s8.h"

#include "mcuc_math.h"

void mcuc_requantize_s8(const mcuc_requantize_s8_params *p, const int8_t *input, int8_t *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        int32_t value = input[i] - p->in_zero_point;
        output[i] = mcuc_requantize((uint32_t)value, p->multiplier, p->right_shift,
                                    p->out_zero_point, INT8_MIN, INT8_MAX);
    }
}
