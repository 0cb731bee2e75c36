/*
 * mcuc_exponential_f32: see mcuc/exponential_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/exponential_f32.h"

#include "mcuc_logistic_f32.h"

static inline float value_of(uint8_t operation, float x)
{
    switch (operation) {
    case 'e':
        return expf(x);
    case 'l':
        return mcuc_logistic_f32(x);
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
