/*
 * mcuc_strided_copy_b16: see mcuc/strided_copy_b16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/strided_copy_b16.h"

#include "mcuc_raster.h"

void mcuc_strided_copy_b16(const mcuc_strided_copy_b16_params *p, const void *input, void *output)
{
    const int32_t last = MCUC_RASTER_DIMENSIONS - 1;
    const uint16_t *from = (const uint16_t *)input + p->start;
    uint16_t *to = (uint16_t *)output;
    int32_t step = p->strides[last];
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};

    do {
        const uint16_t *x = from + mcuc_raster_offset(at, p->strides, last);
        for (int32_t i = 0; i < p->shape[last]; i++) {
            *to++ = x[i * step];
        }
    } while (mcuc_raster_next(at, p->shape, last) >= 0);
}
