/*
 * mcuc_compare_f32: see mcuc/compare_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/compare_f32.h"

typedef float mcuc_compared;

#include "mcuc_compare.h"

static inline uint8_t element(const mcuc_compare_f32_params *p, float x, float y)
{
    return mcuc_compare(p->operation, x, y);
}

void mcuc_compare_f32(const mcuc_compare_f32_params *p, const float *a, const float *b,
                      uint8_t *output)
{
    MCUC_FOR_EACH_PAIR(p, a, b, output, element);
}
