/*
 * mcuc_mul_s8__cmsis_nn: mcuc_mul_s8 of two tensors of one shape, by CMSIS-NN's
 * arm_elementwise_mul_s8.
 *
 * inputs  a, b: int8 [size]
 * output  int8 [size]
 *
 * Order   That of CMSIS-NN, which promises none: inputs and outputs must not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_MUL_S8__CMSIS_NN_H
#define MCUC_MUL_S8__CMSIS_NN_H

#include "mcuc_cmsis_nn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t size;
    int32_t a_offset;
    int32_t b_offset;
    int32_t out_offset;
    int32_t multiplier;
    int32_t shift;
    int32_t out_min;
    int32_t out_max;
} mcuc_mul_s8__cmsis_nn_params;

void mcuc_mul_s8__cmsis_nn(const mcuc_mul_s8__cmsis_nn_params *p, const int8_t *a, const int8_t *b,
                           int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
