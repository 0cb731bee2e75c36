/*
 * mcuc_mul_s8: see mcuc/mul_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/mul_s8.h"

#include "mcuc_broadcast.h"

static inline int8_t element(const mcuc_mul_s8_params *p, int32_t x, int32_t y)
{
    int32_t product = (x + p->a_offset) * (y + p->b_offset);
    int32_t value = mcuc_scale((uint32_t)product, p->multiplier, p->right_shift, p->out_zero_point);
    return (int8_t)mcuc_clamp(value, p->out_min, p->out_max);
}

void mcuc_mul_s8(const mcuc_mul_s8_params *p, const int8_t *a, const int8_t *b, int8_t *output)
{
    const mcuc_mul_s8_params local = *p;

    MCUC_FOR_EACH_PAIR(&local, a, b, output, element);
}
