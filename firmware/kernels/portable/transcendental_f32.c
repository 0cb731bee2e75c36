/*
 * mcuc_transcendental_f32: see mcuc/transcendental_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/transcendental_f32.h"

#include <math.h>

static inline float value_of(uint8_t operation, float x)
{
    switch (operation) {
    case 'g':
        return logf(x);
    case 's':
        return sinf(x);
    default:
        return cosf(x);
    }
}

void mcuc_transcendental_f32(const mcuc_transcendental_f32_params *p, const float *input,
                             float *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        output[i] = value_of(p->operation, input[i]);
    }
}
