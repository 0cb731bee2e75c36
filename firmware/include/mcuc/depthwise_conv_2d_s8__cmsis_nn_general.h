/*
 * mcuc_depthwise_conv_2d_s8__cmsis_nn_general: mcuc_depthwise_conv_2d_s8, by CMSIS-NN's
 * arm_depthwise_conv_s8.
 *
 * input   int8 [batches][height][width][channels]
 * output  int8 [batches][height][width][channels]
 * filter  int8 [1][height][width][channels]
 *
 * Order   That of CMSIS-NN, which promises none: inputs and outputs must not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DEPTHWISE_CONV_2D_S8__CMSIS_NN_GENERAL_H
#define MCUC_DEPTHWISE_CONV_2D_S8__CMSIS_NN_GENERAL_H

#include "mcuc_cmsis_nn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef mcuc_cmsis_nn_layer mcuc_depthwise_conv_2d_s8__cmsis_nn_general_params;

void mcuc_depthwise_conv_2d_s8__cmsis_nn_general(
    const mcuc_depthwise_conv_2d_s8__cmsis_nn_general_params *p, const int8_t *input,
    int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
