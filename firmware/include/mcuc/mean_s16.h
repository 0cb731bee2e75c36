/*
 * mcuc_mean_s16: the mean or the sum along some dimensions, at another scale.
 *
 * input   int16, any shape of up to six dimensions
 * output  int16 [kept_shape[0]]..[kept_shape[5]]
 *
 * The input's elements that an output is made of start at the sum of its coordinate * kept_stride,
 * and lie at the sum of coordinate * mean_stride from there, over mean_shape. Dimensions that are
 * not there have size 1 and stride 0. Their number divides the multiplier of a mean. offset is
 * minus the sum of the input's zero point over them.
 *
 * Ranges  1 <= shapes; 0 <= strides; at most 32768 elements in a mean; 0 <= multiplier; -30 <=
 *         right_shift <= 31.
 *
 * Order   Outputs in raster order: for each, all its elements are read in raster order, then it is
 *         written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_MEAN_S16_H
#define MCUC_MEAN_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t kept_shape[6];
    int32_t kept_strides[6];
    int32_t mean_shape[6];
    int32_t mean_strides[6];
    int32_t offset;
    int32_t multiplier;
    int32_t out_zero_point;
    int8_t right_shift;
} mcuc_mean_s16_params;

void mcuc_mean_s16(const mcuc_mean_s16_params *p, const int16_t *input, int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
