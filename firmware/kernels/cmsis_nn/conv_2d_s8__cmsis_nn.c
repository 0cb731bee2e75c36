/*
 * mcuc_conv_2d_s8__cmsis_nn: see mcuc/conv_2d_s8__cmsis_nn.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_s8__cmsis_nn.h"

#include "mcuc_cmsis_nn_calls.h"

void mcuc_conv_2d_s8__cmsis_nn(const mcuc_conv_2d_s8__cmsis_nn_params *p, const int8_t *input,
                               int8_t *output, void *scratch)
{
    mcuc_cmsis_nn_convolve(arm_convolve_wrapper_s8, p, input, output, scratch);
}
