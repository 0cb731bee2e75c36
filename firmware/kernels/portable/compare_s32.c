/*
 * mcuc_compare_s32: see mcuc/compare_s32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/compare_s32.h"

typedef int32_t mcuc_compared;

#include "mcuc_compare.h"

static inline uint8_t element(const mcuc_compare_s32_params *p, int32_t x, int32_t y)
{
    return mcuc_compare(p->operation, x, y);
}

void mcuc_compare_s32(const mcuc_compare_s32_params *p, const int32_t *a, const int32_t *b,
                      uint8_t *output)
{
    MCUC_FOR_EACH_PAIR(p, a, b, output, element);
}
