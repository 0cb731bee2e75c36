/*
 * mcuc_split: see mcuc/split.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/split.h"

#include <string.h>

void mcuc_split(const mcuc_split_params *p, const void *input, void *const *outputs)
{
    const uint8_t *from = (const uint8_t *)input;

    for (int32_t row = 0; row < p->rows; row++) {
        for (int32_t i = 0; i < p->count; i++) {
            size_t run = p->run_bytes[i];
            memcpy((uint8_t *)outputs[i] + (size_t)row * run, from, run);
            from += run;
        }
    }
}
