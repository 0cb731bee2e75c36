/*
 * mcuc_depthwise_conv_2d_s8__cmsis_nn_general: see mcuc/depthwise_conv_2d_s8__cmsis_nn_general.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/depthwise_conv_2d_s8__cmsis_nn_general.h"

#include "mcuc_cmsis_nn_calls.h"

void mcuc_depthwise_conv_2d_s8__cmsis_nn_general(
    const mcuc_depthwise_conv_2d_s8__cmsis_nn_general_params *p, const int8_t *input,
    int8_t *output)
{
    mcuc_cmsis_nn_convolve_depthwise(arm_depthwise_conv_s8, p, input, output, NULL);
}
