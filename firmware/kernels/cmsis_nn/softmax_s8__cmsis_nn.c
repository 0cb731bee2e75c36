/*
 * mcuc_softmax_s8__cmsis_nn: see mcuc/softmax_s8__cmsis_nn.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/softmax_s8__cmsis_nn.h"

#include "mcuc_cmsis_nn_calls.h"

void mcuc_softmax_s8__cmsis_nn(const mcuc_softmax_s8__cmsis_nn_params *p, const int8_t *input,
                               int8_t *output)
{
    arm_softmax_s8(input, p->rows, p->depth, p->multiplier, p->shift, p->diff_min, output);
}
