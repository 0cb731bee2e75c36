/*
 * mcuc_strided_copy_b8: elements of a tensor in an order that strides give.
 *
 * input   elements of 8 bits, any shape
 * output  elements of 8 bits [shape[0]][shape[1]]..[shape[5]]
 *
 * The element at an output's coordinates is that of the input at start + the sum of coordinate *
 * stride. Strides may be 0 (repeating) or negative (backwards).
 *
 * Ranges  1 <= shape; all elements lie inside the input.
 *
 * Order   Output elements in raster order: for each, one element of the input is read, then it is
 *         written. With strides that are all at least those of a dense output of the same shape
 *         the input is read ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_STRIDED_COPY_B8_H
#define MCUC_STRIDED_COPY_B8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t start;
    int32_t shape[6];
    int32_t strides[6];
} mcuc_strided_copy_b8_params;

void mcuc_strided_copy_b8(const mcuc_strided_copy_b8_params *p, const void *input, void *output);

#ifdef __cplusplus
}
#endif

#endif
