/*
 * mcuc_reduce_extremum_s8: see mcuc/reduce_extremum_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/reduce_extremum_s8.h"

#include "mcuc_raster.h"

/* The extremum of the elements of one output, which start at `input`. */
static int8_t extremum(const mcuc_reduce_extremum_s8_params *p, const int8_t *input)
{
    const int32_t count = MCUC_RASTER_DIMENSIONS;
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};
    int8_t value = input[0];

    do {
        int8_t x = input[mcuc_raster_offset(at, p->reduced_strides, count)];
        value = (x < value) == p->is_min ? x : value;
    } while (mcuc_raster_next(at, p->reduced_shape, count) >= 0);
    return value;
}

void mcuc_reduce_extremum_s8(const mcuc_reduce_extremum_s8_params *p, const void *input,
                             void *output)
{
    const int32_t count = MCUC_RASTER_DIMENSIONS;
    const int8_t *from = (const int8_t *)input;
    int8_t *to = (int8_t *)output;
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};

    do {
        *to++ = extremum(p, from + mcuc_raster_offset(at, p->kept_strides, count));
    } while (mcuc_raster_next(at, p->kept_shape, count) >= 0);
}
