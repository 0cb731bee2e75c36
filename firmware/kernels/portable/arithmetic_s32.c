/*
 * mcuc_arithmetic_s32: see mcuc/arithmetic_s32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/arithmetic_s32.h"

#include "mcuc_broadcast.h"

static inline int32_t quotient(int32_t x, int32_t y)
{
    if (y == 0) {
        return 0;
    }
    return y == -1 ? (int32_t)(0u - (uint32_t)x) : x / y;
}

static inline int32_t combined(uint8_t operation, int32_t x, int32_t y)
{
    uint32_t difference = (uint32_t)x - (uint32_t)y;

    switch (operation) {
    case '+':
        return (int32_t)((uint32_t)x + (uint32_t)y);
    case '-':
        return (int32_t)difference;
    case '*':
        return (int32_t)((uint32_t)x * (uint32_t)y);
    case '/':
        return quotient(x, y);
    case '^':
        return (int32_t)(difference * difference);
    case '<':
        return x < y ? x : y;
    default:
        return x > y ? x : y;
    }
}

static inline int32_t element(const mcuc_arithmetic_s32_params *p, int32_t x, int32_t y)
{
    return mcuc_clamp(combined(p->operation, x, y), p->out_min, p->out_max);
}

void mcuc_arithmetic_s32(const mcuc_arithmetic_s32_params *p, const int32_t *a, const int32_t *b,
                         int32_t *output)
{
    MCUC_FOR_EACH_PAIR(p, a, b, output, element);
}
