/*
 * mcuc_table_scatter: see mcuc/table_scatter.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/table_scatter.h"

#include <string.h>

#include "mcuc_raster.h"

void mcuc_table_scatter(const mcuc_table_scatter_params *p, const void *input, void *output)
{
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};
    const uint8_t *from = (const uint8_t *)input;
    uint8_t *to = (uint8_t *)output;

    memset(to, 0, p->out_bytes);
    do {
        memcpy(to + mcuc_table_offset(p->offsets, p->shape, at), from, p->run_bytes);
        from += p->run_bytes;
    } while (mcuc_raster_next(at, p->shape, MCUC_RASTER_DIMENSIONS) >= 0);
}
