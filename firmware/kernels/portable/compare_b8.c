/*
 * mcuc_compare_b8: see mcuc/compare_b8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/compare_b8.h"

#include "mcuc_broadcast.h"

static inline uint8_t compared(uint8_t operation, int32_t x, int32_t y)
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

static inline uint8_t element(const mcuc_compare_b8_params *p, int32_t x, int32_t y)
{
    return compared(p->operation, x, y);
}

void mcuc_compare_b8(const mcuc_compare_b8_params *p, const uint8_t *a, const uint8_t *b,
                     uint8_t *output)
{
    MCUC_FOR_EACH_PAIR(p, a, b, output, element);
}
