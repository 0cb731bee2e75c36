/*
 * mcuc_resize_bilinear_s8__rows: see mcuc/resize_bilinear_s8__rows.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/resize_bilinear_s8__rows.h"

#include "mcuc_resize.h"

void mcuc_resize_bilinear_s8__rows(const mcuc_resize_bilinear_s8__rows_params *p,
                                   const void *const *rows, void *output, int32_t row)
{
    int8_t *to = (int8_t *)output;

    for (int32_t x = 0; x < p->out_width; x++) {
        mcuc_between_pixels((const int8_t *)rows[0], (const int8_t *)rows[1],
                            p->low[x] * p->channels, p->high[x] * p->channels, p->fraction[x],
                            p->row_fraction[row], p->channels, to);
        to += p->channels;
    }
}
