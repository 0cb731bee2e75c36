/*
 * mcuc_cumsum_s8: see mcuc/cumsum_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/cumsum_s8.h"

#include "mcuc_math.h"

void mcuc_cumsum_s8(const mcuc_cumsum_s8_params *p, const int8_t *input, int8_t *output)
{
    for (int32_t outer = 0; outer < p->outer; outer++) {
        for (int32_t inner = 0; inner < p->inner; inner++) {
            int32_t step = p->is_reverse ? -p->inner : p->inner;
            int32_t at = p->is_reverse ? inner + (p->depth - 1) * p->inner : inner;
            uint32_t sum = (uint32_t)-p->zero_point << 19;
            for (int32_t i = 0; i < p->depth; i++, at += step) {
                uint32_t before = sum;
                sum += (uint32_t)(input[at] - p->zero_point) << 19;
                output[at] = mcuc_requantize(p->is_exclusive ? before : sum, p->multiplier,
                                             p->right_shift, p->out_zero_point, INT8_MIN, INT8_MAX);
            }
        }
        input += p->depth * p->inner;
        output += p->depth * p->inner;
    }
}
