/*
 * mcuc_lookup_s8: see mcuc/lookup_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/lookup_s8.h"

void mcuc_lookup_s8(const mcuc_lookup_s8_params *p, const void *input, void *output)
{
    const int8_t *x = (const int8_t *)input;
    const int8_t *table = p->table + 128;
    int8_t *y = (int8_t *)output;

    for (uint32_t i = 0; i < p->size; i++) {
        y[i] = table[x[i]];
    }
}
