/*
 * mcuc_batch_matmul_f32: see mcuc/batch_matmul_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/batch_matmul_f32.h"

#include "mcuc_float.h"
#include "mcuc_raster.h"

/* One element of a product: a row of a times a column of b. */
static inline float element(const mcuc_batch_matmul_f32_params *p, const float *a, const float *b)
{
    float sum = 0;

    for (int32_t k = 0; k < p->depth; k++) {
        sum += a[k * p->a_step] * b[k * p->b_step];
    }
    return sum;
}

/* The column's bias comes behind all products; adding one of 0 makes a sum of -0 one of 0. */
static inline float finished(const mcuc_batch_matmul_f32_params *p, float sum, int32_t col)
{
    return mcuc_clamp_f32(p->bias == NULL ? sum : sum + p->bias[col], p->out_min, p->out_max);
}

void mcuc_batch_matmul_f32(const mcuc_batch_matmul_f32_params *p, const float *a, const float *b,
                           float *output)
{
    const int32_t count = MCUC_RASTER_DIMENSIONS;
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};

    do {
        const float *left = a + mcuc_raster_offset(at, p->a_strides, count);
        const float *right = b + mcuc_raster_offset(at, p->b_strides, count);
        for (int32_t row = 0; row < p->rows; row++) {
            for (int32_t col = 0; col < p->cols; col++) {
                float sum = element(p, left + row * p->a_row, right + col * p->b_col);
                *output++ = finished(p, sum, col);
            }
        }
    } while (mcuc_raster_next(at, p->batch_shape, count) >= 0);
}
