/*
 * mcuc_add_s8__cmsis_nn: see mcuc/add_s8__cmsis_nn.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/add_s8__cmsis_nn.h"

#include "mcuc_cmsis_nn_calls.h"

/* Both are shifted left, then the one with the larger scale is halved. */
enum { ADD_SHIFT = 20, HALF = 1 << 30 };

void mcuc_add_s8__cmsis_nn(const mcuc_add_s8__cmsis_nn_params *p, const int8_t *a, const int8_t *b,
                           int8_t *output)
{
    (void)arm_elementwise_add_s8(a, b, p->a_offset, HALF, 0, p->b_offset, p->b_multiplier,
                                 p->b_shift, ADD_SHIFT, output, p->out_offset, p->out_multiplier,
                                 p->out_shift, p->out_min, p->out_max, p->size);
}
