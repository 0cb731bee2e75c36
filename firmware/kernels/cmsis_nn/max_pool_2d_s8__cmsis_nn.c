/*
 * mcuc_max_pool_2d_s8__cmsis_nn: see mcuc/max_pool_2d_s8__cmsis_nn.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/max_pool_2d_s8__cmsis_nn.h"

#include "mcuc_cmsis_nn_calls.h"

void mcuc_max_pool_2d_s8__cmsis_nn(const mcuc_max_pool_2d_s8__cmsis_nn_params *p,
                                   const int8_t *input, int8_t *output)
{
    mcuc_cmsis_nn_pool_2d(arm_max_pool_s8, p, input, output, NULL);
}
