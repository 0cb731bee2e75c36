/*
 * mcuc_compare_f32: see mcuc/compare_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/compare_f32.h"

#include "mcuc_broadcast.h"

static inline uint8_t compared(uint8_t operation, float x, float y)
{
    switch (operation) {
    case '=':
        return x == y;
    case '!':
        return x != y;
    case '>':
        return x > y;
    case 'g':
        return x >= y;
    case '<':
        return x < y;
    default:
        return x <= y;
    }
}

static inline uint8_t element(const mcuc_compare_f32_params *p, float x, float y)
{
    return compared(p->operation, x, y);
}

void mcuc_compare_f32(const mcuc_compare_f32_params *p, const float *a, const float *b,
                      uint8_t *output)
{
    MCUC_FOR_EACH_PAIR(p, a, b, output, element);
}
