/*
 * mcuc_quantize_f32_s8: the int8 nearest to each float.
 *
 * input   float [size]
 * output  int8 [size] = round(input / scale) + zero_point, halves away from zero, clamped to int8
 *
 * A quotient beyond int8 on either side, infinity too, gives the nearer end. NaN gives zero_point.
 *
 * Ranges  1 <= size; 0 < scale, finite.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_QUANTIZE_F32_S8_H
#define MCUC_QUANTIZE_F32_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    float scale;
    int8_t zero_point;
} mcuc_quantize_f32_s8_params;

void mcuc_quantize_f32_s8(const mcuc_quantize_f32_s8_params *p, const float *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
