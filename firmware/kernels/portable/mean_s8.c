/*
 * mcuc_mean_s8: see mcuc/mean_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/mean_s8.h"

#include "mcuc_math.h"
#include "mcuc_raster.h"

/* The sum of the elements of one output, which start at `input`. */
static int32_t sum_elements(const mcuc_mean_s8_params *p, const int8_t *input)
{
    const int32_t last = MCUC_RASTER_DIMENSIONS - 1;
    int32_t step = p->mean_strides[last];
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};
    int32_t sum = 0;

    do {
        const int8_t *x = input + mcuc_raster_offset(at, p->mean_strides, last);
        for (int32_t i = 0; i < p->mean_shape[last]; i++) {
            sum += x[i * step];
        }
    } while (mcuc_raster_next(at, p->mean_shape, last) >= 0);
    return sum;
}

void mcuc_mean_s8(const mcuc_mean_s8_params *p, const int8_t *input, int8_t *output)
{
    const int32_t count = MCUC_RASTER_DIMENSIONS;
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};

    do {
        int32_t sum = sum_elements(p, input + mcuc_raster_offset(at, p->kept_strides, count));
        *output++ = mcuc_requantize((uint32_t)(sum + p->offset), p->multiplier, p->right_shift,
                                    p->out_zero_point, INT8_MIN, INT8_MAX);
    } while (mcuc_raster_next(at, p->kept_shape, count) >= 0);
}
