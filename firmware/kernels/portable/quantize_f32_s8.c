/*
 * mcuc_quantize_f32_s8: see mcuc/quantize_f32_s8.h.
 *
 * Rounds without libm, so that integer-only firmware links none of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/quantize_f32_s8.h"

#include "mcuc_math.h"

/* x rounded half away from zero; anything beyond +-256 becomes that, NaN becomes 0. */
static int32_t round_near(float x)
{
    if (!(x > -256.0f)) {
        return x <= -256.0f ? -256 : 0;
    }
    if (x >= 256.0f) {
        return 256;
    }
    int32_t whole = (int32_t)x;
    float rest = x - (float)whole; /* exact */
    if (rest >= 0.5f) {
        return whole + 1;
    }
    return rest <= -0.5f ? whole - 1 : whole;
}

void mcuc_quantize_f32_s8(const mcuc_quantize_f32_s8_params *p, const float *input, int8_t *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        int32_t value = round_near(input[i] / p->scale) + p->zero_point;
        output[i] = (int8_t)mcuc_clamp(value, INT8_MIN, INT8_MAX);
    }
}
