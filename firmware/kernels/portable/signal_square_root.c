/*
 * mcuc_signal_square_root: see mcuc/signal_square_root.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/signal_square_root.h"

/* The nearest whole number to the root of x, one result bit a step. */
static inline uint32_t rounded_root(uint64_t x)
{
    uint64_t limit = x >> 32 == 0 ? UINT16_MAX : UINT32_MAX;
    uint64_t bit = (uint64_t)1 << 62;
    uint64_t root = 0;

    while (bit > x) {
        bit >>= 2;
    }
    for (; bit != 0; bit >>= 2) {
        uint64_t next = root + bit;
        root >>= 1;
        if (x >= next) {
            x -= next;
            root += bit;
        }
    }
    return (uint32_t)(x > root && root < limit ? root + 1 : root);
}

void mcuc_signal_square_root(const mcuc_signal_square_root_params *p, const mcuc_wide *input,
                             const int32_t *bits, uint32_t *output)
{
    uint32_t shift = (uint32_t)*bits & 31u;

    for (int32_t i = 0; i < p->size; i++) {
        output[i] = rounded_root((uint64_t)mcuc_wide_value(input[i])) >> shift;
    }
}
