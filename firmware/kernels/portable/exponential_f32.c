/*
 * mcuc_exponential_f32: see mcuc/exponential_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/exponential_f32.h"

#include <math.h>

/* Beyond these bounds TensorFlow Lite takes what the function is near to. */
static inline float logistic(float x)
{
    if (x > 16.619047164916992188f) {
        return 1.0f;
    }
    return x < -9.0f ? expf(x) : 1.0f / (1.0f + expf(-x));
}

static inline float value_of(uint8_t operation, float x)
{
    switch (operation) {
    case 'e':
        return expf(x);
    case 'l':
        return logistic(x);
    case 't':
        return tanhf(x);
    default:
        return x < 0.0f ? expm1f(x) : x;
    }
}

void mcuc_exponential_f32(const mcuc_exponential_f32_params *p, const float *input, float *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        output[i] = value_of(p->operation, input[i]);
    }
}
