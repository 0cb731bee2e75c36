/*
 * mcuc_sigmoid.h: the logistic function and the hyperbolic tangent of int16, by a table.
 *
 * table[i] is 65536 / (1 + exp(-i / 24)), 256 entries; it is read with straight lines in between.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGMOID_H
#define MCUC_SIGMOID_H

#include "mcuc.h"

static inline uint32_t mcuc_magnitude(int32_t x)
{
    return x < 0 ? 0u - (uint32_t)x : (uint32_t)x;
}

/* The table between two entries, in 1 / 2^(16 + bits); beyond its end, `last`. */
static inline int32_t mcuc_between(const uint16_t *table, uint32_t x, uint32_t bits, int32_t last)
{
    uint32_t i = x >> bits;
    int32_t fraction = (int32_t)(x & (((uint32_t)1 << bits) - 1u));
    if (i >= 255u) {
        return last * ((int32_t)1 << bits);
    }
    return table[i] * ((int32_t)1 << bits) + fraction * (table[i + 1u] - table[i]);
}

/* x in 2/3 * 2^-17 of the table's steps, the result in 2^-15. */
static inline int16_t mcuc_logistic_s16(const uint16_t *table, int32_t x)
{
    /* In 2^-25; the end of the table is 32767 / 32768. */
    uint32_t size = mcuc_magnitude(x);
    int32_t y = size >> 9 >= 255u ? 32767 * 1024 : mcuc_between(table, size, 9, 0);
    y = x >= 0 ? y + 512 : ((int32_t)1 << 25) - y + 511;
    return (int16_t)(y >> 10);
}

/* Likewise. */
static inline int16_t mcuc_tanh_s16(const uint16_t *table, int32_t x)
{
    const int32_t half = (int32_t)1 << 23;
    int32_t y = mcuc_between(table, mcuc_magnitude(x), 8, 65535);
    y = x >= 0 ? y - half + 128 : half - y + 127;
    return (int16_t)(y >> 8);
}

/* An input as these functions take it: x * multiplier / 2^shift, rounded half up; it may wrap. */
static inline int32_t mcuc_sigmoid_argument(int32_t x, int32_t multiplier, int32_t shift)
{
    uint32_t rounding = shift > 0 ? (uint32_t)1 << (shift - 1) : 0u;
    return (int32_t)((uint32_t)x * (uint32_t)multiplier + rounding) >> shift;
}

#endif
