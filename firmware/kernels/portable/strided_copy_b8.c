/*
 * mcuc_strided_copy_b8: see mcuc/strided_copy_b8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/strided_copy_b8.h"

#include "mcuc_raster.h"

void mcuc_strided_copy_b8(const mcuc_strided_copy_b8_params *p, const void *input, void *output)
{
    const int32_t last = MCUC_RASTER_DIMENSIONS - 1;
    const uint8_t *from = (const uint8_t *)input + p->start;
    uint8_t *to = (uint8_t *)output;
    int32_t step = p->strides[last];
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};

    do {
        const uint8_t *x = from + mcuc_raster_offset(at, p->strides, last);
        for (int32_t i = 0; i < p->shape[last]; i++) {
            *to++ = x[i * step];
        }
    } while (mcuc_raster_next(at, p->shape, last) >= 0);
}
