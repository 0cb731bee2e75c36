/*
 * mcuc_prelu_f32: see mcuc/prelu_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/prelu_f32.h"

#include "mcuc_broadcast.h"

static inline float element(const mcuc_prelu_f32_params *p, float x, float alpha)
{
    (void)p;
    return x >= 0.0f ? x : x * alpha;
}

void mcuc_prelu_f32(const mcuc_prelu_f32_params *p, const float *input, const float *alpha,
                    float *output)
{
    MCUC_FOR_EACH_PAIR(p, input, alpha, output, element);
}
