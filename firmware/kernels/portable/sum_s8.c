/*
 * mcuc_sum_s8: see mcuc/sum_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/sum_s8.h"

#include "mcuc_broadcast.h"

static inline int8_t element(const mcuc_sum_s8_params *p, int32_t x, int32_t y)
{
    uint32_t x_wide = (uint32_t)(x + p->a_offset) << 20;
    uint32_t y_wide = (uint32_t)(y + p->b_offset) << 20;
    int32_t sum = mcuc_scale(x_wide, p->a_multiplier, p->a_right_shift, 0);
    sum += p->b_sign * mcuc_scale(y_wide, p->b_multiplier, p->b_right_shift, 0);
    int32_t value =
        mcuc_scale((uint32_t)sum, p->out_multiplier, p->out_right_shift, p->out_zero_point);
    return (int8_t)mcuc_clamp(value, p->out_min, p->out_max);
}

void mcuc_sum_s8(const mcuc_sum_s8_params *p, const int8_t *a, const int8_t *b, int8_t *output)
{
    const mcuc_sum_s8_params local = *p;

    MCUC_FOR_EACH_PAIR(&local, a, b, output, element);
}
