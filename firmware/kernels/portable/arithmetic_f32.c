/*
 * mcuc_arithmetic_f32: see mcuc/arithmetic_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/arithmetic_f32.h"

#include "mcuc_broadcast.h"
#include "mcuc_float.h"

static inline float combined(uint8_t operation, float x, float y)
{
    switch (operation) {
    case '+':
        return x + y;
    case '-':
        return x - y;
    case '*':
        return x * y;
    case '/':
        return x / y;
    case '^':
        return (x - y) * (x - y);
    case '<':
        return x < y ? x : y;
    default:
        return x > y ? x : y;
    }
}

static inline float element(const mcuc_arithmetic_f32_params *p, float x, float y)
{
    return mcuc_clamp_f32(combined(p->operation, x, y), p->out_min, p->out_max);
}

void mcuc_arithmetic_f32(const mcuc_arithmetic_f32_params *p, const float *a, const float *b,
                         float *output)
{
    MCUC_FOR_EACH_PAIR(p, a, b, output, element);
}
