/*
 * mcuc_log_softmax_f32: see mcuc/log_softmax_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/log_softmax_f32.h"

#include <math.h>

void mcuc_log_softmax_f32(const mcuc_log_softmax_f32_params *p, const float *input, float *output)
{
    for (int32_t row = 0; row < p->rows; row++) {
        float max = input[0];
        float sum = 0.0f;
        for (int32_t i = 1; i < p->depth; i++) {
            max = max < input[i] ? input[i] : max;
        }
        for (int32_t i = 0; i < p->depth; i++) {
            sum += expf(input[i] - max);
        }
        sum = logf(sum);
        for (int32_t i = 0; i < p->depth; i++) {
            output[i] = input[i] - max - sum;
        }
        input += p->depth;
        output += p->depth;
    }
}
