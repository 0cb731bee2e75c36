/*
 * mcuc_max_pool_2d_s8__cmsis_nn: mcuc_max_pool_2d_s8, by CMSIS-NN's arm_max_pool_s8.
 *
 * input   int8 [batches][height][width][channels]
 * output  int8 [batches][height][width][channels]
 *
 * Order   That of CMSIS-NN, which promises none: inputs and outputs must not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_MAX_POOL_2D_S8__CMSIS_NN_H
#define MCUC_MAX_POOL_2D_S8__CMSIS_NN_H

#include "mcuc_cmsis_nn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef mcuc_cmsis_nn_pool mcuc_max_pool_2d_s8__cmsis_nn_params;

void mcuc_max_pool_2d_s8__cmsis_nn(const mcuc_max_pool_2d_s8__cmsis_nn_params *p,
                                   const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
