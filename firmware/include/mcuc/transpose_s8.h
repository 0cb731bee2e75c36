/*
 * mcuc_transpose_s8: a tensor with its dimensions in another order.
 *
 * input   int8, any shape
 * output  int8 [shape[0]][shape[1]]..[shape[5]]
 *
 * The element of the input at an output's coordinates is at the sum of coordinate * stride.
 *
 * Ranges  1 <= shape; 0 <= strides; the input is not read beyond its end.
 *
 * Order   Output elements in raster order: for each, one element of the input is read, then it is
 *         written. The input is read once, in the order that the strides give.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_TRANSPOSE_S8_H
#define MCUC_TRANSPOSE_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t shape[6];
    int32_t strides[6];
} mcuc_transpose_s8_params;

void mcuc_transpose_s8(const mcuc_transpose_s8_params *p, const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
