/*
 * mcuc_mul_s8__cmsis_nn: see mcuc/mul_s8__cmsis_nn.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/mul_s8__cmsis_nn.h"

#include "mcuc_cmsis_nn_calls.h"

void mcuc_mul_s8__cmsis_nn(const mcuc_mul_s8__cmsis_nn_params *p, const int8_t *a, const int8_t *b,
                           int8_t *output)
{
    (void)arm_elementwise_mul_s8(a, b, p->a_offset, p->b_offset, output, p->out_offset,
                                 p->multiplier, p->shift, p->out_min, p->out_max, p->size);
}
