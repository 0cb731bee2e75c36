/*
 * mcuc_row_sums.h: sums of channels over pixels that come row by row.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ROW_SUMS_H
#define MCUC_ROW_SUMS_H

#include "mcuc_math.h"

/* Sums side by side: int32 where is_wide, else int16. */
static inline int32_t mcuc_row_sum(const void *sums, int32_t is_wide, int32_t place)
{
    return is_wide ? ((const int32_t *)sums)[place] : ((const int16_t *)sums)[place];
}

static inline void mcuc_row_sum_set(void *sums, int32_t is_wide, int32_t place, int32_t sum)
{
    if (is_wide) {
        ((int32_t *)sums)[place] = sum;
    } else {
        ((int16_t *)sums)[place] = (int16_t)sum;
    }
}

/* What one channel of `pixels` neighbours adds up to. */
static inline int32_t mcuc_row_sum_pixels(const int8_t *x, int32_t pixels, int32_t channels)
{
    int32_t sum = 0;
    for (int32_t left = pixels; left > 0; left--, x += channels) {
        sum += x[0];
    }
    return sum;
}

#endif
