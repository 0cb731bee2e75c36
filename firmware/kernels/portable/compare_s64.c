/*
 * mcuc_compare_s64: see mcuc/compare_s64.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/compare_s64.h"

typedef int64_t mcuc_compared;

#include "mcuc_compare.h"
#include "mcuc_wide.h"

static inline uint8_t element(const mcuc_compare_s64_params *p, mcuc_wide x, mcuc_wide y)
{
    return mcuc_compare(p->operation, mcuc_wide_value(x), mcuc_wide_value(y));
}

void mcuc_compare_s64(const mcuc_compare_s64_params *p, const void *a, const void *b,
                      uint8_t *output)
{
    const mcuc_wide *x = (const mcuc_wide *)a;
    const mcuc_wide *y = (const mcuc_wide *)b;

    MCUC_FOR_EACH_PAIR(p, x, y, output, element);
}
