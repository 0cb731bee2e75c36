/*
 * mcuc_conv_2d_s8__cmsis_nn_1x1: mcuc_conv_2d_s8 with a filter of one pixel, by CMSIS-NN's
 * arm_convolve_1x1_s8.
 *
 * input   int8 [batches][height][width][channels]
 * output  int8 [batches][height][width][channels]
 * filter  int8 [output channels][1][1][channels]
 *
 * Order   That of CMSIS-NN, which promises none: inputs and outputs must not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CONV_2D_S8__CMSIS_NN_1X1_H
#define MCUC_CONV_2D_S8__CMSIS_NN_1X1_H

#include "mcuc_cmsis_nn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef mcuc_cmsis_nn_layer mcuc_conv_2d_s8__cmsis_nn_1x1_params;

void mcuc_conv_2d_s8__cmsis_nn_1x1(const mcuc_conv_2d_s8__cmsis_nn_1x1_params *p,
                                   const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
