/*
 * mcuc_transpose_s8: see mcuc/transpose_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/transpose_s8.h"

#include "mcuc_raster.h"

void mcuc_transpose_s8(const mcuc_transpose_s8_params *p, const int8_t *input, int8_t *output)
{
    const int32_t last = MCUC_RASTER_DIMENSIONS - 1;
    int32_t step = p->strides[last];
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};

    do {
        const int8_t *x = input + mcuc_raster_offset(at, p->strides, last);
        for (int32_t i = 0; i < p->shape[last]; i++) {
            *output++ = x[i * step];
        }
    } while (mcuc_raster_next(at, p->shape, last) >= 0);
}
