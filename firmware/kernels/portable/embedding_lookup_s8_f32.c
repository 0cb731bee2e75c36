/*
 * mcuc_embedding_lookup_s8_f32: see mcuc/embedding_lookup_s8_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/embedding_lookup_s8_f32.h"

#include "mcuc_math.h"

void mcuc_embedding_lookup_s8_f32(const mcuc_embedding_lookup_s8_f32_params *p, const int8_t *table,
                                  const int32_t *indices, float *output)
{
    for (int32_t i = 0; i < p->count; i++) {
        const int8_t *row = table + mcuc_clamp(indices[i], 0, p->rows - 1) * p->depth;
        for (int32_t k = 0; k < p->depth; k++) {
            *output++ = p->scale * (float)row[k];
        }
    }
}
