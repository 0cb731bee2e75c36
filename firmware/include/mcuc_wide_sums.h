/*
 * mcuc_wide_sums.h: from sums of products of int16 to int16.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_WIDE_SUMS_H
#define MCUC_WIDE_SUMS_H

#include "mcuc_math.h"

/*
 * The sum plus its bias, modulo 2^64, scaled and clamped. Wide sums take a multiplier below 2^15
 * and a right shift, are rounded once and then cut to 32 bits; others are cut to 32 bits first and
 * scaled like those of int8.
 */
static inline int16_t mcuc_requantize_s16(int64_t sum, int64_t bias, int32_t multiplier,
                                          int32_t right_shift, int32_t is_wide, int32_t min,
                                          int32_t max)
{
    uint64_t total = (uint64_t)sum + (uint64_t)bias;

    if (!is_wide) {
        int32_t value = mcuc_scale((uint32_t)total, multiplier, right_shift, 0);
        return (int16_t)mcuc_clamp(value, min, max);
    }
    total = total * (uint64_t)(int64_t)multiplier + ((uint64_t)1 << (right_shift - 1));
    int32_t value = (int32_t)(uint32_t)(uint64_t)((int64_t)total >> right_shift);
    return (int16_t)mcuc_clamp(value, min, max);
}

#endif
