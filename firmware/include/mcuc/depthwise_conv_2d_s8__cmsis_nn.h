/*
 * mcuc_depthwise_conv_2d_s8__cmsis_nn: mcuc_depthwise_conv_2d_s8 of one undilated image, by
 * CMSIS-NN's arm_depthwise_conv_s8_opt.
 *
 * input   int8 [batches][height][width][channels]
 * output  int8 [batches][height][width][channels]
 * filter  int8 [1][height][width][channels]
 * scratch as many bytes as arm_depthwise_conv_s8_opt_get_buffer_size says
 *
 * Order   That of CMSIS-NN, which promises none: inputs and outputs must not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DEPTHWISE_CONV_2D_S8__CMSIS_NN_H
#define MCUC_DEPTHWISE_CONV_2D_S8__CMSIS_NN_H

#include "mcuc_cmsis_nn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef mcuc_cmsis_nn_layer mcuc_depthwise_conv_2d_s8__cmsis_nn_params;

void mcuc_depthwise_conv_2d_s8__cmsis_nn(const mcuc_depthwise_conv_2d_s8__cmsis_nn_params *p,
                                         const int8_t *input, int8_t *output, void *scratch);

#ifdef __cplusplus
}
#endif

#endif
