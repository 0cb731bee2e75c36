/*
 * mcuc_extremum_s16: see mcuc/extremum_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/extremum_s16.h"

#include "mcuc_broadcast.h"

static inline int16_t element(const mcuc_extremum_s16_params *p, int32_t x, int32_t y)
{
    return (int16_t)((x < y) == p->is_min ? x : y);
}

void mcuc_extremum_s16(const mcuc_extremum_s16_params *p, const int16_t *a, const int16_t *b,
                       int16_t *output)
{
    MCUC_FOR_EACH_PAIR(p, a, b, output, element);
}
