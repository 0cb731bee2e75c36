/*
 * mcuc_average_pool_2d_s8__cmsis_nn_plain: mcuc_average_pool_2d_s8 where CMSIS-NN's
 * arm_avgpool_s8 wants no scratch.
 *
 * input   int8 [batches][height][width][channels]
 * output  int8 [batches][height][width][channels]
 *
 * Order   That of CMSIS-NN, which promises none: inputs and outputs must not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_AVERAGE_POOL_2D_S8__CMSIS_NN_PLAIN_H
#define MCUC_AVERAGE_POOL_2D_S8__CMSIS_NN_PLAIN_H

#include "mcuc_cmsis_nn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef mcuc_cmsis_nn_pool mcuc_average_pool_2d_s8__cmsis_nn_plain_params;

void mcuc_average_pool_2d_s8__cmsis_nn_plain(
    const mcuc_average_pool_2d_s8__cmsis_nn_plain_params *p, const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
