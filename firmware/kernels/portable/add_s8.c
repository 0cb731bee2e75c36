/*
 * mcuc_add_s8: see mcuc/add_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/add_s8.h"

#include "mcuc_add.h"

void mcuc_add_s8(const mcuc_add_s8_params *p, const int8_t *a, const int8_t *b, int8_t *output)
{
    mcuc_add_scaling scaling = {
        p->b_multiplier,    p->out_multiplier, p->a_offset, p->b_offset, p->b_right_shift,
        p->out_right_shift, p->out_zero_point, p->out_min,  p->out_max,
    };

    for (uint32_t i = 0; i < p->size; i++) {
        output[i] = mcuc_add_element(&scaling, a[i], b[i]);
    }
}
