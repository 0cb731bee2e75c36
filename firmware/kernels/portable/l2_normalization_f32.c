/*
 * mcuc_l2_normalization_f32: see mcuc/l2_normalization_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/l2_normalization_f32.h"

#include <math.h>

void mcuc_l2_normalization_f32(const mcuc_l2_normalization_f32_params *p, const float *input,
                               float *output)
{
    for (int32_t row = 0; row < p->rows; row++) {
        float sum = 0.0f;
        for (int32_t i = 0; i < p->depth; i++) {
            sum += input[i] * input[i];
        }
        float length = sqrtf(sum);
        length = length < 1e-6f ? 1e-6f : length;
        for (int32_t i = 0; i < p->depth; i++) {
            output[i] = input[i] / length;
        }
        input += p->depth;
        output += p->depth;
    }
}
