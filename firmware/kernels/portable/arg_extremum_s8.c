/*
 * mcuc_arg_extremum_s8: see mcuc/arg_extremum_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/arg_extremum_s8.h"

void mcuc_arg_extremum_s8(const mcuc_arg_extremum_s8_params *p, const int8_t *input,
                          int32_t *output)
{
    for (int32_t outer = 0; outer < p->outer; outer++) {
        for (int32_t inner = 0; inner < p->inner; inner++) {
            const int8_t *x = input + inner;
            int32_t best = 0;
            for (int32_t i = 1; i < p->depth; i++) {
                int8_t value = x[i * p->inner];
                int8_t least = x[best * p->inner];
                if (p->is_min ? value < least : value > least) {
                    best = i;
                }
            }
            *output++ = best;
        }
        input += p->depth * p->inner;
    }
}
