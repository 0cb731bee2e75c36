/*
 * mcuc_extremum_s64: see mcuc/extremum_s64.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/extremum_s64.h"

#include "mcuc_broadcast.h"
#include "mcuc_wide.h"

static inline mcuc_wide element(const mcuc_extremum_s64_params *p, mcuc_wide x, mcuc_wide y)
{
    return (mcuc_wide_value(x) < mcuc_wide_value(y)) == p->is_min ? x : y;
}

void mcuc_extremum_s64(const mcuc_extremum_s64_params *p, const void *a, const void *b,
                       void *output)
{
    const mcuc_wide *x = (const mcuc_wide *)a;
    const mcuc_wide *y = (const mcuc_wide *)b;
    mcuc_wide *to = (mcuc_wide *)output;

    MCUC_FOR_EACH_PAIR(p, x, y, to, element);
}
