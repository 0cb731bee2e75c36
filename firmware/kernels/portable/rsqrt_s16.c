/*
 * mcuc_rsqrt_s16: see mcuc/rsqrt_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/rsqrt_s16.h"

#include "mcuc_isqrt.h"

void mcuc_rsqrt_s16(const mcuc_rsqrt_s16_params *p, const int16_t *input, int16_t *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        int32_t value = input[i] - p->in_zero_point;
        int32_t right_shift;
        int32_t result = INT16_MAX;
        if (value > 0) {
            int32_t root = mcuc_inverse_square_root(value, &right_shift);
            uint32_t inverse = (uint32_t)mcuc_scale(1, root, right_shift - 20, 0);
            result = mcuc_scale(inverse, p->multiplier, p->right_shift, p->out_zero_point);
        }
        output[i] = (int16_t)mcuc_clamp(result, INT16_MIN, INT16_MAX);
    }
}
