/*
 * mcuc_batch_matmul_s8: see mcuc/batch_matmul_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/batch_matmul_s8.h"

#include "mcuc_math.h"
#include "mcuc_raster.h"

/* One element of a product: a row of a times a column of b, and what is added to that column. */
static inline int8_t element(const mcuc_batch_matmul_s8_params *p, const int8_t *a, const int8_t *b,
                             uint32_t sum)
{
    for (int32_t k = 0; k < p->depth; k++) {
        sum +=
            (uint32_t)((a[k * p->a_step] - p->a_zero_point) * (b[k * p->b_step] - p->b_zero_point));
    }
    return mcuc_requantize(sum, p->multiplier, p->right_shift, p->out_zero_point, p->out_min,
                           p->out_max);
}

void mcuc_batch_matmul_s8(const mcuc_batch_matmul_s8_params *p, const int8_t *a, const int8_t *b,
                          int8_t *output)
{
    const int32_t count = MCUC_RASTER_DIMENSIONS;
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};

    do {
        const int8_t *left = a + mcuc_raster_offset(at, p->a_strides, count);
        const int8_t *right = b + mcuc_raster_offset(at, p->b_strides, count);
        for (int32_t row = 0; row < p->rows; row++) {
            for (int32_t col = 0; col < p->cols; col++) {
                uint32_t start = p->bias == NULL ? 0u : (uint32_t)p->bias[col];
                *output++ = element(p, left + row * p->a_row, right + col * p->b_col, start);
            }
        }
    } while (mcuc_raster_next(at, p->batch_shape, count) >= 0);
}
