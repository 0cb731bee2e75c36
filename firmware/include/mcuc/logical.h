/*
 * mcuc_logical: where either or both of two conditions hold.
 *
 * a, b    inputs: bool, bytes
 * output  bool, bytes of 0 or 1 [shape[0]][shape[1]]..[shape[5]]
 *
 * The element of an input at an output's coordinates is at the sum of coordinate * stride; a
 * stride of 0 repeats.
 *
 * is_and is 1 for both, 0 for either of them.
 *
 * Ranges  1 <= shape.
 *
 * Order   Output elements in raster order: for each, the element of `a` and that of `b` are read,
 *         then it is written. An input whose strides are those of the output is read ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_LOGICAL_H
#define MCUC_LOGICAL_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t shape[6];
    int32_t a_strides[6];
    int32_t b_strides[6];
    uint8_t is_and;
} mcuc_logical_params;

void mcuc_logical(const mcuc_logical_params *p, const uint8_t *a, const uint8_t *b,
                  uint8_t *output);

#ifdef __cplusplus
}
#endif

#endif
