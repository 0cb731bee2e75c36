/*
 * mcuc_add.h: one sum of two int8 of different scales.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ADD_H
#define MCUC_ADD_H

#include "mcuc_math.h"

/* How to scale; the members are those of mcuc_add_s8_params. */
typedef struct {
    int32_t b_multiplier;
    int32_t out_multiplier;
    int32_t a_offset;
    int32_t b_offset;
    int32_t b_right_shift;
    int32_t out_right_shift;
    int32_t out_zero_point;
    int32_t out_min;
    int32_t out_max;
} mcuc_add_scaling;

/*
 * a and b brought to a common scale in which a's multiplier is exactly 1/2, added, brought to the
 * output's scale. |a + a_offset| <= 255, so the terms stay below 2^28 and their sum below 2^29.
 */
static inline int8_t mcuc_add_element(const mcuc_add_scaling *s, int32_t a, int32_t b)
{
    uint32_t b_wide = (uint32_t)((b + s->b_offset) * ((int32_t)1 << 20));
    int32_t sum = (a + s->a_offset) * ((int32_t)1 << 19);
    sum += mcuc_scale(b_wide, s->b_multiplier, s->b_right_shift, 0);
    return mcuc_requantize((uint32_t)sum, s->out_multiplier, s->out_right_shift, s->out_zero_point,
                           s->out_min, s->out_max);
}

#endif
