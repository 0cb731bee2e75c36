/*
 * mcuc_quantize_f32_s16: see mcuc/quantize_f32_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/quantize_f32_s16.h"

#include "mcuc_math.h"

/* x rounded half away from zero; anything beyond +-65536 becomes that, NaN becomes 0. */
static int32_t round_near(float x)
{
    if (!(x > -65536.0f)) {
        return x <= -65536.0f ? -65536 : 0;
    }
    if (x >= 65536.0f) {
        return 65536;
    }
    int32_t whole = (int32_t)x;
    float rest = x - (float)whole; /* exact */
    if (rest >= 0.5f) {
        return whole + 1;
    }
    return rest <= -0.5f ? whole - 1 : whole;
}

void mcuc_quantize_f32_s16(const mcuc_quantize_f32_s16_params *p, const float *input,
                           int16_t *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        int32_t value = round_near(input[i] / p->scale) + p->zero_point;
        output[i] = (int16_t)mcuc_clamp(value, INT16_MIN, INT16_MAX);
    }
}
