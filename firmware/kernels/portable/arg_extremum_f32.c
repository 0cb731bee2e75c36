/*
 * mcuc_arg_extremum_f32: see mcuc/arg_extremum_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/arg_extremum_f32.h"

void mcuc_arg_extremum_f32(const mcuc_arg_extremum_f32_params *p, const float *input,
                           int32_t *output)
{
    for (int32_t outer = 0; outer < p->outer; outer++) {
        for (int32_t inner = 0; inner < p->inner; inner++) {
            const float *x = input + inner;
            int32_t best = 0;
            for (int32_t i = 1; i < p->depth; i++) {
                float value = x[i * p->inner];
                float least = x[best * p->inner];
                if (p->is_min ? value < least : value > least) {
                    best = i;
                }
            }
            *output++ = best;
        }
        input += p->depth * p->inner;
    }
}
