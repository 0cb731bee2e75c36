/*
 * mcuc_softmax_s8__cmsis_nn: mcuc_softmax_s8, by CMSIS-NN's arm_softmax_s8.
 *
 * input   int8 [rows][depth], any scale and zero point
 * output  int8 [rows][depth], scale 1/256, zero point -128
 *
 * Order   That of CMSIS-NN, which promises none: inputs and outputs must not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SOFTMAX_S8__CMSIS_NN_H
#define MCUC_SOFTMAX_S8__CMSIS_NN_H

#include "mcuc_cmsis_nn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t rows;
    int32_t depth;
    int32_t multiplier;
    int32_t shift;
    int32_t diff_min;
} mcuc_softmax_s8__cmsis_nn_params;

void mcuc_softmax_s8__cmsis_nn(const mcuc_softmax_s8__cmsis_nn_params *p, const int8_t *input,
                               int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
