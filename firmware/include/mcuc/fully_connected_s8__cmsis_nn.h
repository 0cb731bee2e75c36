/*
 * mcuc_fully_connected_s8__cmsis_nn: mcuc_fully_connected_s8, by CMSIS-NN's arm_fully_connected_s8.
 *
 * input   int8 [rows][in_channels]
 * output  int8 [rows][out_channels]
 *
 * filter  int8 [out_channels][in_channels]
 * bias    with the input's zero point folded in, so that the input counts as it is
 *
 * Order   That of CMSIS-NN, which promises none: inputs and outputs must not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_FULLY_CONNECTED_S8__CMSIS_NN_H
#define MCUC_FULLY_CONNECTED_S8__CMSIS_NN_H

#include "mcuc_cmsis_nn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int8_t *filter;
    const int32_t *bias;
    int32_t rows;
    int32_t in_channels;
    int32_t out_channels;
    int32_t multiplier;
    int32_t shift;
    int32_t out_offset;
    int32_t out_min;
    int32_t out_max;
} mcuc_fully_connected_s8__cmsis_nn_params;

void mcuc_fully_connected_s8__cmsis_nn(const mcuc_fully_connected_s8__cmsis_nn_params *p,
                                       const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
