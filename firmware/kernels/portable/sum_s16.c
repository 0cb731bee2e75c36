/*
 * mcuc_sum_s16: see mcuc/sum_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/sum_s16.h"

#include "mcuc_broadcast.h"

static inline int16_t element(const mcuc_sum_s16_params *p, int32_t x, int32_t y)
{
    uint32_t x_wide = (uint32_t)(x + p->a_offset) << 15;
    uint32_t y_wide = (uint32_t)(y + p->b_offset) << 15;
    int32_t sum = mcuc_scale(x_wide, p->a_multiplier, p->a_right_shift, 0);
    sum += p->b_sign * mcuc_scale(y_wide, p->b_multiplier, p->b_right_shift, 0);
    int32_t value =
        mcuc_scale((uint32_t)sum, p->out_multiplier, p->out_right_shift, p->out_zero_point);
    return (int16_t)mcuc_clamp(value, p->out_min, p->out_max);
}

void mcuc_sum_s16(const mcuc_sum_s16_params *p, const int16_t *a, const int16_t *b, int16_t *output)
{
    const mcuc_sum_s16_params local = *p;

    MCUC_FOR_EACH_PAIR(&local, a, b, output, element);
}
