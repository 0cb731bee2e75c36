/*
 * mcuc_update_slice: see mcuc/update_slice.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/update_slice.h"

#include <string.h>

#include "mcuc_math.h"
#include "mcuc_raster.h"

void mcuc_update_slice(const mcuc_update_slice_params *p, const void *input, const void *update,
                       const int32_t *starts, void *output)
{
    const int32_t last = MCUC_RASTER_DIMENSIONS - 1;
    const int32_t unused = MCUC_RASTER_DIMENSIONS - p->rank;
    const uint8_t *from = (const uint8_t *)update;
    uint8_t *to = (uint8_t *)output;
    int32_t strides[MCUC_RASTER_DIMENSIONS];
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};
    int32_t stride = 1;

    memmove(output, input, p->size);
    for (int32_t i = last; i >= 0; i--) {
        int32_t unit = i == last ? p->element_bytes : 1;
        int32_t room = (p->shape[i] - p->update_shape[i]) / unit;
        int32_t start = i >= unused ? mcuc_clamp(starts[i - unused], 0, room) : 0;
        to += start * unit * stride;
        strides[i] = stride;
        stride *= p->shape[i];
    }
    do {
        memcpy(to + mcuc_raster_offset(at, strides, last), from, (size_t)p->update_shape[last]);
        from += p->update_shape[last];
    } while (mcuc_raster_next(at, p->update_shape, last) >= 0);
}
