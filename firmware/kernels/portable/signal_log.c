/*
 * mcuc_signal_log: see mcuc/signal_log.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/signal_log.h"

#include "mcuc_exp.h"

/* log2(x) in 2^-16 for x >= 2: the position of its highest bit, then a line between two entries. */
static inline uint32_t binary_log(const uint16_t *table, uint32_t x)
{
    int32_t whole = 31 - mcuc_leading_zeros(x);
    uint32_t fraction = x - ((uint32_t)1 << whole);
    fraction = whole < 16 ? fraction << (16 - whole) : fraction >> (whole - 16);
    uint32_t segment = fraction >> 9;
    int32_t first = table[segment];
    int32_t rise = table[segment + 1u] - first;
    int32_t along = (rise * (int32_t)(fraction & 511u)) >> 16;

    return ((uint32_t)whole << 16) + fraction + (uint32_t)(first + along);
}

void mcuc_signal_log(const mcuc_signal_log_params *p, const uint32_t *input, int16_t *output)
{
    const uint32_t log_of_2 = 45426; /* in 2^-16 */
    const uint32_t half = 32768;

    for (int32_t i = 0; i < p->size; i++) {
        uint32_t x = input[i] << p->correction_bits;
        uint32_t value = 0;
        if (x > 1u) {
            value = (uint32_t)(((uint64_t)log_of_2 * binary_log(p->table, x) + half) >> 16);
            value = ((uint32_t)p->scale * value + half) >> 16;
        }
        output[i] = (int16_t)(value < INT16_MAX ? value : INT16_MAX);
    }
}
