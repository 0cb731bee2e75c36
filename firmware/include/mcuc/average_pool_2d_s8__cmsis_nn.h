/*
 * mcuc_average_pool_2d_s8__cmsis_nn: mcuc_average_pool_2d_s8 on CPUs with the DSP extension and no
 * vectors, by CMSIS-NN's arm_avgpool_s8.
 *
 * input   int8 [batches][height][width][channels]
 * output  int8 [batches][height][width][channels]
 * scratch as many bytes as arm_avgpool_s8_get_buffer_size says
 *
 * Order   That of CMSIS-NN, which promises none: inputs and outputs must not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_AVERAGE_POOL_2D_S8__CMSIS_NN_H
#define MCUC_AVERAGE_POOL_2D_S8__CMSIS_NN_H

#include "mcuc_cmsis_nn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef mcuc_cmsis_nn_pool mcuc_average_pool_2d_s8__cmsis_nn_params;

void mcuc_average_pool_2d_s8__cmsis_nn(const mcuc_average_pool_2d_s8__cmsis_nn_params *p,
                                       const int8_t *input, int8_t *output, void *scratch);

#ifdef __cplusplus
}
#endif

#endif
