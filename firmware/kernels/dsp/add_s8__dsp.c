/*
 * mcuc_add_s8__dsp: see mcuc/add_s8__dsp.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/add_s8__dsp.h"

#include "mcuc_dsp.h"

void mcuc_add_s8__dsp(const mcuc_add_s8__dsp_params *p, const int8_t *a, const int8_t *b,
                      int8_t *output)
{
    const int32_t *const table = p->table;
    const int32_t multiplier = p->multiplier;
    const int32_t constant = p->constant;
    const int32_t shift = p->right_shift;
    const int8_t *const end = a + p->size;
    const int8_t *const fours_end = a + (p->size & ~3u);

    while (a < fours_end) {
#pragma GCC unroll 4
        for (int32_t i = 0; i < 4; i++) {
            int32_t doubled = table[(uint8_t)b[i]] + a[i] * (1 << 20);
            output[i] = mcuc_requantize_doubled(doubled, multiplier, constant, shift);
        }
        a += 4;
        b += 4;
        output += 4;
    }
    while (a < end) {
        int32_t doubled = table[(uint8_t)*b++] + *a++ * (1 << 20);
        *output++ = mcuc_requantize_doubled(doubled, multiplier, constant, shift);
    }
}
