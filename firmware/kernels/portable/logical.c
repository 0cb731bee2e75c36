/*
 * mcuc_logical: see mcuc/logical.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/logical.h"

#include "mcuc_broadcast.h"

static inline uint8_t element(const mcuc_logical_params *p, int32_t x, int32_t y)
{
    return p->is_and ? x != 0 && y != 0 : x != 0 || y != 0;
}

void mcuc_logical(const mcuc_logical_params *p, const uint8_t *a, const uint8_t *b, uint8_t *output)
{
    MCUC_FOR_EACH_PAIR(p, a, b, output, element);
}
