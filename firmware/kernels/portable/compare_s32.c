/*
 * mcuc_compare_s32: see mcuc/compare_s32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/compare_s32.h"

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

static inline uint8_t element(const mcuc_compare_s32_params *p, int32_t x, int32_t y)
{
    return compared(p->operation, x, y);
}

void mcuc_compare_s32(const mcuc_compare_s32_params *p, const int32_t *a, const int32_t *b,
                      uint8_t *output)
{
    MCUC_FOR_EACH_PAIR(p, a, b, output, element);
}
