/*
 * mcuc_extremum_s16: the larger or the smaller of two values.
 *
 * a, b    inputs: int16
 * output  int16 [shape[0]][shape[1]]..[shape[5]]
 *
 * The element of an input at an output's coordinates is at the sum of coordinate * stride; a
 * stride of 0 repeats.
 *
 * is_min is 1 for the smaller, 0 for the larger one.
 *
 * Ranges  1 <= shape.
 *
 * Order   Output elements in raster order: for each, the element of `a` and that of `b` are read,
 *         then it is written. An input whose strides are those of the output is read ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_EXTREMUM_S16_H
#define MCUC_EXTREMUM_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t shape[6];
    int32_t a_strides[6];
    int32_t b_strides[6];
    uint8_t is_min;
} mcuc_extremum_s16_params;

void mcuc_extremum_s16(const mcuc_extremum_s16_params *p, const int16_t *a, const int16_t *b,
                       int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
