/*
 * mcuc_batch_matmul_s16: see mcuc/batch_matmul_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/batch_matmul_s16.h"

#include "mcuc_raster.h"
#include "mcuc_wide_sums.h"

/* One element of a product: a row of a times a column of b. */
static inline int16_t element(const mcuc_batch_matmul_s16_params *p, const int16_t *a,
                              const int16_t *b)
{
    int64_t sum = 0;

    for (int32_t k = 0; k < p->depth; k++) {
        sum += a[k * p->a_step] * b[k * p->b_step];
    }
    return mcuc_requantize_s16(sum, 0, p->multiplier, p->right_shift, 1, INT16_MIN, INT16_MAX);
}

void mcuc_batch_matmul_s16(const mcuc_batch_matmul_s16_params *p, const int16_t *a,
                           const int16_t *b, int16_t *output)
{
    const int32_t count = MCUC_RASTER_DIMENSIONS;
    int32_t at[MCUC_RASTER_DIMENSIONS] = {0};

    do {
        const int16_t *left = a + mcuc_raster_offset(at, p->a_strides, count);
        const int16_t *right = b + mcuc_raster_offset(at, p->b_strides, count);
        for (int32_t row = 0; row < p->rows; row++) {
            for (int32_t col = 0; col < p->cols; col++) {
                *output++ = element(p, left + row * p->a_row, right + col * p->b_col);
            }
        }
    } while (mcuc_raster_next(at, p->batch_shape, count) >= 0);
}
