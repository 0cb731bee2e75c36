/*
 * mcuc_prelu_s16: see mcuc/prelu_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/prelu_s16.h"

#include "mcuc_broadcast.h"

static inline int16_t element(const mcuc_prelu_s16_params *p, int32_t x, int32_t alpha)
{
    int32_t value = x + p->a_offset;
    if (value >= 0) {
        value = mcuc_scale((uint32_t)value, p->positive_multiplier, p->positive_right_shift,
                           p->out_zero_point);
    } else {
        value *= alpha + p->b_offset;
        value = mcuc_scale((uint32_t)value, p->negative_multiplier, p->negative_right_shift,
                           p->out_zero_point);
    }
    return (int16_t)mcuc_clamp(value, INT16_MIN, INT16_MAX);
}

void mcuc_prelu_s16(const mcuc_prelu_s16_params *p, const int16_t *input, const int8_t *alpha,
                    int16_t *output)
{
    const mcuc_prelu_s16_params local = *p;

    MCUC_FOR_EACH_PAIR(&local, input, alpha, output, element);
}
