/*
 * mcuc_piecewise_s16: see mcuc/piecewise_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/piecewise_s16.h"

#include "mcuc_math.h"

void mcuc_piecewise_s16(const mcuc_piecewise_s16_params *p, const int16_t *input, int16_t *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        int32_t value = input[i] - p->in_zero_point;
        if (value >= 0) {
            value = mcuc_scale((uint32_t)value, p->positive_multiplier, p->positive_right_shift, 0);
        } else {
            value = p->out_sign * mcuc_scale((uint32_t)(value * p->negative_sign),
                                             p->negative_multiplier, p->negative_right_shift, 0);
        }
        output[i] = (int16_t)mcuc_clamp(value + p->out_zero_point, p->out_min, p->out_max);
    }
}
