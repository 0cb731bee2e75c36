/*
 * mcuc_l2_normalization_s8: see mcuc/l2_normalization_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/l2_normalization_s8.h"

#include "mcuc_isqrt.h"

void mcuc_l2_normalization_s8(const mcuc_l2_normalization_s8_params *p, const int8_t *input,
                              int8_t *output)
{
    for (int32_t row = 0; row < p->rows; row++) {
        int32_t sum = 0;
        int32_t right_shift;
        for (int32_t i = 0; i < p->depth; i++) {
            int32_t value = input[i] - p->zero_point;
            sum += value * value;
        }
        int32_t multiplier = mcuc_inverse_square_root(sum, &right_shift);
        for (int32_t i = 0; i < p->depth; i++) {
            uint32_t value = (uint32_t)(input[i] - p->zero_point);
            output[i] = mcuc_requantize(value, multiplier, right_shift - 7, 0, INT8_MIN, INT8_MAX);
        }
        input += p->depth;
        output += p->depth;
    }
}
