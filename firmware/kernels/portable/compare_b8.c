/*
 * mcuc_compare_b8: see mcuc/compare_b8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/compare_b8.h"

typedef int32_t mcuc_compared;

#include "mcuc_compare.h"

static inline uint8_t element(const mcuc_compare_b8_params *p, int32_t x, int32_t y)
{
    return mcuc_compare(p->operation, x, y);
}

void mcuc_compare_b8(const mcuc_compare_b8_params *p, const uint8_t *a, const uint8_t *b,
                     uint8_t *output)
{
    MCUC_FOR_EACH_PAIR(p, a, b, output, element);
}
