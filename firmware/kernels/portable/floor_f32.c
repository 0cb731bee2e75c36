/*
 * mcuc_floor_f32: see mcuc/floor_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/floor_f32.h"

#include <math.h>

#include "mcuc_broadcast.h"

static inline float element(const mcuc_floor_f32_params *p, float x, float y)
{
    if (p->is_rest == 0) {
        return floorf(x / y);
    }
    float rest = fmodf(x, y);
    return (rest < 0.0f) != (y < 0.0f) && rest != 0.0f ? rest + y : rest;
}

void mcuc_floor_f32(const mcuc_floor_f32_params *p, const float *a, const float *b, float *output)
{
    MCUC_FOR_EACH_PAIR(p, a, b, output, element);
}
