/*
 * mcuc_mean_s16: see mcuc/mean_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/mean_s16.h"

#include "mcuc_math.h"
#include "mcuc_raster.h"

/* The sum of the elements of one output, which start at `input`. */
static uint32_t sum_elements(const mcuc_mean_s16_params *p, const int16_t *input)
{
    const int32_t count = MCUC_RASTER_DIMENSIONS;
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};
    uint32_t sum = 0;

    do {
        int32_t x = input[mcuc_raster_offset(at, p->mean_strides, count)];
        sum = sum + (uint32_t)x;
    } while (mcuc_raster_next(at, p->mean_shape, count) >= 0);
    return sum;
}

void mcuc_mean_s16(const mcuc_mean_s16_params *p, const int16_t *input, int16_t *output)
{
    const int32_t count = MCUC_RASTER_DIMENSIONS;
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};

    do {
        uint32_t sum = sum_elements(p, input + mcuc_raster_offset(at, p->kept_strides, count));
        int32_t value =
            mcuc_scale(sum + (uint32_t)p->offset, p->multiplier, p->right_shift, p->out_zero_point);
        *output++ = (int16_t)mcuc_clamp(value, INT16_MIN, INT16_MAX);
    } while (mcuc_raster_next(at, p->kept_shape, count) >= 0);
}
