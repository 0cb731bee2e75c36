/*
 * mcuc_add_s8__broadcast: see mcuc/add_s8__broadcast.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/add_s8__broadcast.h"

#include "mcuc_add.h"
#include "mcuc_raster.h"

void mcuc_add_s8__broadcast(const mcuc_add_s8__broadcast_params *p, const int8_t *a,
                            const int8_t *b, int8_t *output)
{
    mcuc_add_scaling scaling = {
        p->b_multiplier,    p->out_multiplier, p->a_offset, p->b_offset, p->b_right_shift,
        p->out_right_shift, p->out_zero_point, p->out_min,  p->out_max,
    };
    const int32_t last = MCUC_RASTER_DIMENSIONS - 1;
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};

    do {
        const int8_t *a_row = a + mcuc_raster_offset(at, p->a_strides, last);
        const int8_t *b_row = b + mcuc_raster_offset(at, p->b_strides, last);
        for (int32_t i = 0; i < p->shape[last]; i++) {
            *output++ = mcuc_add_element(&scaling, a_row[i * p->a_strides[last]],
                                         b_row[i * p->b_strides[last]]);
        }
    } while (mcuc_raster_next(at, p->shape, last) >= 0);
}
