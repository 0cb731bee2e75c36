/*
 * mcuc_table_copy: see mcuc/table_copy.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/table_copy.h"

#include "mcuc_raster.h"

void mcuc_table_copy(const mcuc_table_copy_params *p, const void *input, void *output)
{
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};
    const uint8_t *from = (const uint8_t *)input;
    uint8_t *to = (uint8_t *)output;

    do {
        const uint8_t *run = from + mcuc_table_offset(p->offsets, p->shape, at);
        for (uint32_t i = 0; i < p->run_bytes; i++) {
            *to++ = run[i];
        }
    } while (mcuc_raster_next(at, p->shape, MCUC_RASTER_DIMENSIONS) >= 0);
}
