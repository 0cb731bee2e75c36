/*
 * mcuc_sigmoid_s16: see mcuc/sigmoid_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/sigmoid_s16.h"

static inline uint32_t magnitude(int32_t x)
{
    return x < 0 ? 0u - (uint32_t)x : (uint32_t)x;
}

/* The table between two entries, in 1 / 2^(16 + bits); beyond its end, `last`. */
static inline int32_t between(const uint16_t *table, uint32_t x, uint32_t bits, int32_t last)
{
    uint32_t i = x >> bits;
    int32_t fraction = (int32_t)(x & (((uint32_t)1 << bits) - 1u));
    if (i >= 255u) {
        return last * ((int32_t)1 << bits);
    }
    return table[i] * ((int32_t)1 << bits) + fraction * (table[i + 1u] - table[i]);
}

static inline int16_t logistic_of(const uint16_t *table, int32_t x)
{
    /* In 2^-25; the end of the table is 32767 / 32768. */
    int32_t y = magnitude(x) >> 9 >= 255u ? 32767 * 1024 : between(table, magnitude(x), 9, 0);
    y = x >= 0 ? y + 512 : ((int32_t)1 << 25) - y + 511;
    return (int16_t)(y >> 10);
}

static inline int16_t tanh_of(const uint16_t *table, int32_t x)
{
    const int32_t half = (int32_t)1 << 23;
    int32_t y = between(table, magnitude(x), 8, 65535);
    y = x >= 0 ? y - half + 128 : half - y + 127;
    return (int16_t)(y >> 8);
}

void mcuc_sigmoid_s16(const mcuc_sigmoid_s16_params *p, const int16_t *input, int16_t *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        int32_t rounding = p->shift > 0 ? (int32_t)((uint32_t)1 << (p->shift - 1)) : 0;
        int32_t product = (int32_t)((uint32_t)input[i] * (uint32_t)p->multiplier);
        int32_t x = (int32_t)((uint32_t)product + (uint32_t)rounding) >> p->shift;
        output[i] = p->is_tanh ? tanh_of(p->table, x) : logistic_of(p->table, x);
    }
}
