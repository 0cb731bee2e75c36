/*
 * mcuc_compare_s64: which elements of two tensors are equal, greater or less.
 *
 * a, b    inputs: int64, aligned like int32
 * output  bool, bytes of 0 or 1 [shape[0]][shape[1]]..[shape[5]]
 *
 * The element of an input at an output's coordinates is at the sum of coordinate * stride; a
 * stride of 0 repeats.
 *
 * operation is '=', '!' (not equal), '>', 'g' (greater or equal), '<' or 'l' (less or equal).
 *
 * Ranges  1 <= shape.
 *
 * Order   Output elements in raster order: for each, the element of `a` and that of `b` are read,
 *         then it is written. An input whose strides are those of the output is read ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_COMPARE_S64_H
#define MCUC_COMPARE_S64_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t shape[6];
    int32_t a_strides[6];
    int32_t b_strides[6];
    uint8_t operation;
} mcuc_compare_s64_params;

void mcuc_compare_s64(const mcuc_compare_s64_params *p, const void *a, const void *b,
                      uint8_t *output);

#ifdef __cplusplus
}
#endif

#endif
