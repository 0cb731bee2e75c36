/*
 * mcuc_add_s8__cmsis_nn: mcuc_add_s8, by CMSIS-NN's arm_elementwise_add_s8.
 *
 * inputs  a, b: int8 [size]; the scale of `a` is at least that of `b`
 * output  int8 [size]
 *
 * Order   That of CMSIS-NN, which promises none: inputs and outputs must not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ADD_S8__CMSIS_NN_H
#define MCUC_ADD_S8__CMSIS_NN_H

#include "mcuc_cmsis_nn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t size;
    int32_t a_offset;
    int32_t b_offset;
    int32_t b_multiplier;
    int32_t b_shift;
    int32_t out_offset;
    int32_t out_multiplier;
    int32_t out_shift;
    int32_t out_min;
    int32_t out_max;
} mcuc_add_s8__cmsis_nn_params;

void mcuc_add_s8__cmsis_nn(const mcuc_add_s8__cmsis_nn_params *p, const int8_t *a, const int8_t *b,
                           int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
