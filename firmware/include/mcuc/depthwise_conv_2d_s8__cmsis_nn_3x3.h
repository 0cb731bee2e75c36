/*
 * mcuc_depthwise_conv_2d_s8__cmsis_nn_3x3: mcuc_depthwise_conv_2d_s8 of one undilated
 * image with a 3x3 filter and at most one pixel of padding, by CMSIS-NN's
 * arm_depthwise_conv_3x3_s8.
 *
 * input   int8 [batches][height][width][channels]
 * output  int8 [batches][height][width][channels]
 * filter  int8 [1][height][width][channels]
 *
 * Order   That of CMSIS-NN, which promises none: inputs and outputs must not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DEPTHWISE_CONV_2D_S8__CMSIS_NN_3X3_H
#define MCUC_DEPTHWISE_CONV_2D_S8__CMSIS_NN_3X3_H

#include "mcuc_cmsis_nn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef mcuc_cmsis_nn_layer mcuc_depthwise_conv_2d_s8__cmsis_nn_3x3_params;

void mcuc_depthwise_conv_2d_s8__cmsis_nn_3x3(
    const mcuc_depthwise_conv_2d_s8__cmsis_nn_3x3_params *p, const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
