/*
 * mcuc_strided_copy_b32: elements of a tensor in an order that strides give.
 *
 * input   elements of 32 bits, any shape
 * output  elements of 32 bits [shape[0]][shape[1]]..[shape[5]]
 *
 * Elements of 64 bits are two of these along a last dimension of 2.
 *
 * Ranges and Order are those of mcuc_strided_copy_b8, strides in elements of 32 bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_STRIDED_COPY_B32_H
#define MCUC_STRIDED_COPY_B32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t start;
    int32_t shape[6];
    int32_t strides[6];
} mcuc_strided_copy_b32_params;

void mcuc_strided_copy_b32(const mcuc_strided_copy_b32_params *p, const void *input, void *output);

#ifdef __cplusplus
}
#endif

#endif
