/*
 * mcuc_add_s8__broadcast: the sum of two tensors, each repeated along dimensions where it has 1.
 *
 * a, b    int8, the scale of `a` is at least that of `b`
 * output  int8 [shape[0]][shape[1]]..[shape[5]]
 *
 * The element of an input at an output's coordinates is at the sum of coordinate * stride; a stride
 * of 0 repeats. The arithmetic and its ranges are those of mcuc_add_s8.
 *
 * Order   Output elements in raster order: for each, the element of `a` and that of `b` are read,
 *         then it is written. An input whose strides are those of the output is read ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ADD_S8__BROADCAST_H
#define MCUC_ADD_S8__BROADCAST_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t shape[6];
    int32_t a_strides[6];
    int32_t b_strides[6];
    int32_t b_multiplier;
    int32_t out_multiplier;
    int16_t a_offset; /* minus the zero point */
    int16_t b_offset;
    int8_t b_right_shift;
    int8_t out_right_shift;
    int8_t out_zero_point;
    int8_t out_min;
    int8_t out_max;
} mcuc_add_s8__broadcast_params;

void mcuc_add_s8__broadcast(const mcuc_add_s8__broadcast_params *p, const int8_t *a,
                            const int8_t *b, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
