/*
 * mcuc_reduce_extremum_s8: the maximum or minimum along some dimensions.
 *
 * input   int8 (or bool, bytes of 0 or 1), any shape of up to six dimensions
 * output  int8 (or bool) [kept_shape[0]]..[kept_shape[5]]
 *
 * The input's elements that an output is made of start at the sum of its coordinate * kept_stride,
 * and lie at the sum of coordinate * reduced_stride from there, over reduced_shape. Dimensions
 * that are not there have size 1 and stride 0.
 *
 * is_min is 1 for the minimum, which of bool says whether all are true.
 *
 * Ranges  1 <= shapes; 0 <= strides.
 *
 * Order   Outputs in raster order: for each, all its elements are read in raster order, then it is
 *         written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_REDUCE_EXTREMUM_S8_H
#define MCUC_REDUCE_EXTREMUM_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t kept_shape[6];
    int32_t kept_strides[6];
    int32_t reduced_shape[6];
    int32_t reduced_strides[6];
    uint8_t is_min;
} mcuc_reduce_extremum_s8_params;

void mcuc_reduce_extremum_s8(const mcuc_reduce_extremum_s8_params *p, const void *input,
                             void *output);

#ifdef __cplusplus
}
#endif

#endif
