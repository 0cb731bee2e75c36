/*
 * mcuc_compare_s8: which elements of two tensors stand for equal, greater or smaller values.
 *
 * a, b    inputs: int8
 * output  bool, bytes of 0 or 1 [shape[0]][shape[1]]..[shape[5]]
 *
 * The element of an input at an output's coordinates is at the sum of coordinate * stride; a
 * stride of 0 repeats.
 *
 * operation is '=', '!' (not equal), '>', 'g' (greater or equal), '<' or 'l' (less or equal).
 * Values less their zero points, shifted left by 8, are brought to a common scale by the
 * multipliers first.
 *
 * Ranges  1 <= shape; 0 <= multipliers; 0 <= right shifts <= 31.
 *
 * Order   Output elements in raster order: for each, the element of `a` and that of `b` are read,
 *         then it is written. An input whose strides are those of the output is read ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_COMPARE_S8_H
#define MCUC_COMPARE_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t shape[6];
    int32_t a_strides[6];
    int32_t b_strides[6];
    int32_t a_offset; /* minus the zero point */
    int32_t b_offset;
    int32_t a_multiplier;
    int32_t b_multiplier;
    int8_t a_right_shift;
    int8_t b_right_shift;
    uint8_t operation;
} mcuc_compare_s8_params;

void mcuc_compare_s8(const mcuc_compare_s8_params *p, const int8_t *a, const int8_t *b,
                     uint8_t *output);

#ifdef __cplusplus
}
#endif

#endif
