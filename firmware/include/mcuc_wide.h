/*
 * mcuc_wide.h: int64 in tensors, which are aligned like int32.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_WIDE_H
#define MCUC_WIDE_H

#include "mcuc.h"

/* The two halves of an int64, the low one first. */
typedef struct {
    uint32_t low;
    uint32_t high;
} mcuc_wide;

static inline int64_t mcuc_wide_value(mcuc_wide x)
{
    return (int64_t)((uint64_t)x.high << 32 | x.low);
}

#endif
