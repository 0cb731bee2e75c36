/*
 * mcuc_select: see mcuc/select.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/select.h"

#include <string.h>

#include "mcuc_raster.h"

void mcuc_select(const mcuc_select_params *p, const uint8_t *condition, const void *x,
                 const void *y, void *output)
{
    const int32_t count = MCUC_RASTER_DIMENSIONS;
    uint8_t *to = (uint8_t *)output;
    size_t size = p->element_bytes;
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};

    do {
        int is_x = condition[mcuc_raster_offset(at, p->condition_strides, count)] != 0;
        const uint8_t *from = (const uint8_t *)(is_x ? x : y);
        const int32_t *strides = is_x ? p->x_strides : p->y_strides;
        memmove(to, from + (size_t)mcuc_raster_offset(at, strides, count) * size, size);
        to += size;
    } while (mcuc_raster_next(at, p->shape, count) >= 0);
}
