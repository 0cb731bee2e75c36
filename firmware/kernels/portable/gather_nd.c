/*
 * mcuc_gather_nd: see mcuc/gather_nd.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/gather_nd.h"

#include <string.h>

#include "mcuc_math.h"

void mcuc_gather_nd(const mcuc_gather_nd_params *p, const void *input, const int32_t *indices,
                    void *output)
{
    const uint8_t *from = (const uint8_t *)input;
    uint8_t *to = (uint8_t *)output;

    for (int32_t i = 0; i < p->count; i++) {
        int32_t offset = 0;
        for (int32_t k = 0; k < p->depth; k++) {
            offset += mcuc_clamp(indices[k], 0, p->sizes[k] - 1) * p->strides[k];
        }
        memcpy(to, from + offset, p->run_bytes);
        indices += p->depth;
        to += p->run_bytes;
    }
}
