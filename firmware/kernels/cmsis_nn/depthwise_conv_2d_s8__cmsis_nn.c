/*
 * mcuc_depthwise_conv_2d_s8__cmsis_nn: see mcuc/depthwise_conv_2d_s8__cmsis_nn.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/depthwise_conv_2d_s8__cmsis_nn.h"

#include "mcuc_cmsis_nn_calls.h"

void mcuc_depthwise_conv_2d_s8__cmsis_nn(const mcuc_depthwise_conv_2d_s8__cmsis_nn_params *p,
                                         const int8_t *input, int8_t *output, void *scratch)
{
    mcuc_cmsis_nn_convolve_depthwise(arm_depthwise_conv_s8_opt, p, input, output, scratch);
}
