/*
 * mcuc_unary_f32: see mcuc/unary_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/unary_f32.h"

#include <math.h>

#include "mcuc_float.h"

/* x rounded to a whole number, halves to the even one. */
static inline float nearest(float x)
{
    float below = floorf(x);
    float rest = x - below;
    if (rest < 0.5f) {
        return below;
    }
    if (rest > 0.5f || floorf(below * 0.5f) * 2.0f != below) {
        return below + 1.0f;
    }
    return below;
}

static inline float hard_swish(float x)
{
    float gate = x + 3.0f;
    gate = gate < 0.0f ? 0.0f : gate;
    gate = gate > 6.0f ? 6.0f : gate;
    return x * gate / 6.0f;
}

static inline float value_of(const mcuc_unary_f32_params *p, float x)
{
    switch (p->operation) {
    case 'a':
        return fabsf(x);
    case 'c':
        return mcuc_clamp_f32(x, p->first, p->second);
    case 'd':
        return floorf(x);
    case 'h':
        return hard_swish(x);
    case 'l':
        return x > 0.0f ? x : x * p->first;
    case 'n':
        return nearest(x);
    case 'q':
        return sqrtf(x);
    case 'r':
        return 1.0f / sqrtf(x);
    case 'u':
        return ceilf(x);
    case '2':
        return x * x;
    default:
        return -x;
    }
}

void mcuc_unary_f32(const mcuc_unary_f32_params *p, const float *input, float *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        output[i] = value_of(p, input[i]);
    }
}
