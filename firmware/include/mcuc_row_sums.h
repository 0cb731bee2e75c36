/*
 * mcuc_row_sums.h: sums of each channel over an image that comes row by row.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ROW_SUMS_H
#define MCUC_ROW_SUMS_H

#include <string.h>

#include "mcuc_math.h"

/* One sum a channel: int16 where they fit, else int32. */
typedef struct {
    void *sums;
    int32_t channels;
    int32_t is_wide;
} mcuc_row_sums;

static inline int32_t mcuc_row_sum(const mcuc_row_sums *s, int32_t channel)
{
    return s->is_wide ? ((const int32_t *)s->sums)[channel] : ((const int16_t *)s->sums)[channel];
}

/* Adds the pixels of a row of int8 [width][channels]; the first row begins anew. */
static MCUC_NOINLINE void mcuc_row_sums_add(const mcuc_row_sums *s, const int8_t *row,
                                            int32_t width, int32_t is_first)
{
    if (is_first) {
        (void)memset(s->sums, 0, (size_t)s->channels * (s->is_wide ? 4U : 2U));
    }
    for (int32_t channel = 0; channel < s->channels; channel++) {
        const int8_t *x = row + channel;
        int32_t sum = mcuc_row_sum(s, channel);
        for (int32_t left = width; left > 0; left--, x += s->channels) {
            sum += x[0];
        }
        if (s->is_wide) {
            ((int32_t *)s->sums)[channel] = sum;
        } else {
            ((int16_t *)s->sums)[channel] = (int16_t)sum;
        }
    }
}

#endif
