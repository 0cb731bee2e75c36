/*
 * mcuc_depthwise_conv_2d_s8__cmsis_nn_3x3: see mcuc/depthwise_conv_2d_s8__cmsis_nn_3x3.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/depthwise_conv_2d_s8__cmsis_nn_3x3.h"

#include "mcuc_cmsis_nn_calls.h"

void mcuc_depthwise_conv_2d_s8__cmsis_nn_3x3(
    const mcuc_depthwise_conv_2d_s8__cmsis_nn_3x3_params *p, const int8_t *input, int8_t *output)
{
    mcuc_cmsis_nn_convolve_depthwise(arm_depthwise_conv_3x3_s8, p, input, output, NULL);
}
