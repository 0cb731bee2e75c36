/*
 * mcuc_compare.h: the six comparisons, by a character.
 *
 * A skeleton: a kernel defines mcuc_compared, the type that is compared, and includes this.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_COMPARE_H
#define MCUC_COMPARE_H

#include "mcuc_broadcast.h"

static inline uint8_t mcuc_compare(uint8_t operation, mcuc_compared x, mcuc_compared y)
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

#endif
