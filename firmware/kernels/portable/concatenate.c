/*
 * mcuc_concatenate: see mcuc/concatenate.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/concatenate.h"

#include <string.h>

void mcuc_concatenate(const mcuc_concatenate_params *p, const void *const *inputs, void *output)
{
    uint8_t *to = (uint8_t *)output;

    for (int32_t row = 0; row < p->rows; row++) {
        for (int32_t i = 0; i < p->count; i++) {
            size_t run = p->run_bytes[i];
            memcpy(to, (const uint8_t *)inputs[i] + (size_t)row * run, run);
            to += run;
        }
    }
}
