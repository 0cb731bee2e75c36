/*
 * mcuc_gather: see mcuc/gather.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/gather.h"

#include <string.h>

#include "mcuc_math.h"

void mcuc_gather(const mcuc_gather_params *p, const void *input, const int32_t *indices,
                 void *output)
{
    const uint8_t *from = (const uint8_t *)input;
    uint8_t *to = (uint8_t *)output;

    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t outer = 0; outer < p->outer; outer++) {
            for (int32_t i = 0; i < p->count; i++) {
                int32_t index = mcuc_clamp(indices[i], 0, p->axis_size - 1);
                memcpy(to, from + (size_t)index * p->run_bytes, p->run_bytes);
                to += p->run_bytes;
            }
            from += (size_t)p->axis_size * p->run_bytes;
        }
        indices += p->count;
    }
}
