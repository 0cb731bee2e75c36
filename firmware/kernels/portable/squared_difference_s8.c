/*
 * mcuc_squared_difference_s8: see mcuc/squared_difference_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/squared_difference_s8.h"

#include "mcuc_broadcast.h"

static inline int8_t element(const mcuc_squared_difference_s8_params *p, int32_t x, int32_t y)
{
    uint32_t x_wide = (uint32_t)(x + p->a_offset) << 7;
    uint32_t y_wide = (uint32_t)(y + p->b_offset) << 7;
    int32_t difference = mcuc_scale(x_wide, p->a_multiplier, p->a_right_shift, 0) -
                         mcuc_scale(y_wide, p->b_multiplier, p->b_right_shift, 0);
    uint32_t square = (uint32_t)difference * (uint32_t)difference;
    int32_t value = mcuc_scale(square, p->out_multiplier, p->out_right_shift, p->out_zero_point);
    return (int8_t)mcuc_clamp(value, INT8_MIN, INT8_MAX);
}

void mcuc_squared_difference_s8(const mcuc_squared_difference_s8_params *p, const int8_t *a,
                                const int8_t *b, int8_t *output)
{
    const mcuc_squared_difference_s8_params local = *p;

    MCUC_FOR_EACH_PAIR(&local, a, b, output, element);
}
