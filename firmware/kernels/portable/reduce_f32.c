/*
 * mcuc_reduce_f32: see mcuc/reduce_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/reduce_f32.h"

#include "mcuc_raster.h"

static inline float combined(uint8_t operation, float value, float x)
{
    switch (operation) {
    case '<':
        return x < value ? x : value;
    case '>':
        return x > value ? x : value;
    default:
        return value + x;
    }
}

/* What the elements of one output, which start at `input`, come to. */
static float reduced(const mcuc_reduce_f32_params *p, const float *input)
{
    const int32_t count = MCUC_RASTER_DIMENSIONS;
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};
    float value = p->operation == '<' || p->operation == '>' ? input[0] : 0.0f;

    do {
        float x = input[mcuc_raster_offset(at, p->reduced_strides, count)];
        value = combined(p->operation, value, x);
    } while (mcuc_raster_next(at, p->reduced_shape, count) >= 0);
    return value;
}

void mcuc_reduce_f32(const mcuc_reduce_f32_params *p, const float *input, float *output)
{
    const int32_t count = MCUC_RASTER_DIMENSIONS;
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};

    do {
        float value = reduced(p, input + mcuc_raster_offset(at, p->kept_strides, count));
        *output++ = p->operation == 'm' ? value / (float)p->count : value;
    } while (mcuc_raster_next(at, p->kept_shape, count) >= 0);
}
