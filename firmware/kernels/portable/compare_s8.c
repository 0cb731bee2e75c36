/*
 * mcuc_compare_s8: see mcuc/compare_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/compare_s8.h"

typedef int32_t mcuc_compared;

#include "mcuc_compare.h"

static inline uint8_t element(const mcuc_compare_s8_params *p, int32_t x, int32_t y)
{
    uint32_t x_wide = (uint32_t)(x + p->a_offset) << 8;
    uint32_t y_wide = (uint32_t)(y + p->b_offset) << 8;
    return mcuc_compare(p->operation, mcuc_scale(x_wide, p->a_multiplier, p->a_right_shift, 0),
                        mcuc_scale(y_wide, p->b_multiplier, p->b_right_shift, 0));
}

void mcuc_compare_s8(const mcuc_compare_s8_params *p, const int8_t *a, const int8_t *b,
                     uint8_t *output)
{
    const mcuc_compare_s8_params local = *p;

    MCUC_FOR_EACH_PAIR(&local, a, b, output, element);
}
