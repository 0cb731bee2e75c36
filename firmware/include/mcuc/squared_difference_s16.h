/*
 * mcuc_squared_difference_s16: the square of the difference of two tensors.
 *
 * a, b    inputs: int16
 * output  int16 [shape[0]][shape[1]]..[shape[5]]
 *
 * The element of an input at an output's coordinates is at the sum of coordinate * stride; a
 * stride of 0 repeats.
 *
 * Both inputs, shifted left by 0, are brought to a common scale by their multipliers; the square
 * of their difference, modulo 2^32, takes out_multiplier.
 *
 * Ranges  1 <= shape; 0 <= multipliers; 0 <= right shifts of inputs <= 31; -30 <= out_right_shift
 *         <= 31.
 *
 * Order   Output elements in raster order: for each, the element of `a` and that of `b` are read,
 *         then it is written. An input whose strides are those of the output is read ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SQUARED_DIFFERENCE_S16_H
#define MCUC_SQUARED_DIFFERENCE_S16_H

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
    int32_t out_multiplier;
    int32_t out_zero_point;
    int8_t a_right_shift;
    int8_t b_right_shift;
    int8_t out_right_shift;
} mcuc_squared_difference_s16_params;

void mcuc_squared_difference_s16(const mcuc_squared_difference_s16_params *p, const int16_t *a,
                                 const int16_t *b, int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
