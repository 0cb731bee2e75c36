/*
 * mcuc_logical_not: see mcuc/logical_not.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/logical_not.h"

void mcuc_logical_not(const mcuc_logical_not_params *p, const uint8_t *input, uint8_t *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        output[i] = input[i] == 0;
    }
}
