/*
 * mcuc_average_pool_2d_s8__cmsis_nn_plain: see mcuc/average_pool_2d_s8__cmsis_nn_plain.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/average_pool_2d_s8__cmsis_nn_plain.h"

#include "mcuc_cmsis_nn_calls.h"

void mcuc_average_pool_2d_s8__cmsis_nn_plain(
    const mcuc_average_pool_2d_s8__cmsis_nn_plain_params *p, const int8_t *input, int8_t *output)
{
    mcuc_cmsis_nn_pool_2d(arm_avgpool_s8, p, input, output, NULL);
}
