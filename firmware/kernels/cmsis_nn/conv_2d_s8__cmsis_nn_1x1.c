/*
 * mcuc_conv_2d_s8__cmsis_nn_1x1: see mcuc/conv_2d_s8__cmsis_nn_1x1.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_s8__cmsis_nn_1x1.h"

#include "mcuc_cmsis_nn_calls.h"

void mcuc_conv_2d_s8__cmsis_nn_1x1(const mcuc_conv_2d_s8__cmsis_nn_1x1_params *p,
                                   const int8_t *input, int8_t *output)
{
    mcuc_cmsis_nn_convolve(arm_convolve_1x1_s8, p, input, output, NULL);
}
