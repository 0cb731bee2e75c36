/*
 * mcuc_strided_copy_b16: elements of a tensor in an order that strides give.
 *
 * input   elements of 16 bits, any shape
 * output  elements of 16 bits [shape[0]][shape[1]]..[shape[5]]
 *
 * Ranges and Order are those of mcuc_strided_copy_b8, strides in elements of 16 bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_STRIDED_COPY_B16_H
#define MCUC_STRIDED_COPY_B16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t start;
    int32_t shape[6];
    int32_t strides[6];
} mcuc_strided_copy_b16_params;

void mcuc_strided_copy_b16(const mcuc_strided_copy_b16_params *p, const void *input, void *output);

#ifdef __cplusplus
}
#endif

#endif
