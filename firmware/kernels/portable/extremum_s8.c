/*
 * mcuc_extremum_s8: see mcuc/extremum_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/extremum_s8.h"

#include "mcuc_broadcast.h"

static inline int8_t element(const mcuc_extremum_s8_params *p, int32_t x, int32_t y)
{
    return (int8_t)((x < y) == p->is_min ? x : y);
}

void mcuc_extremum_s8(const mcuc_extremum_s8_params *p, const int8_t *a, const int8_t *b,
                      int8_t *output)
{
    MCUC_FOR_EACH_PAIR(p, a, b, output, element);
}
