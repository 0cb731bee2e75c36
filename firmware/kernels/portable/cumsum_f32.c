/*
 * mcuc_cumsum_f32: see mcuc/cumsum_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/cumsum_f32.h"

void mcuc_cumsum_f32(const mcuc_cumsum_f32_params *p, const float *input, float *output)
{
    for (int32_t outer = 0; outer < p->outer; outer++) {
        for (int32_t inner = 0; inner < p->inner; inner++) {
            int32_t step = p->is_reverse ? -p->inner : p->inner;
            int32_t at = p->is_reverse ? inner + (p->depth - 1) * p->inner : inner;
            float sum = 0.0f;
            for (int32_t i = 0; i < p->depth; i++, at += step) {
                float before = sum;
                sum += input[at];
                output[at] = p->is_exclusive ? before : sum;
            }
        }
        input += p->depth * p->inner;
        output += p->depth * p->inner;
    }
}
