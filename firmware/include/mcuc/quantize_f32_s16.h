/*
 * mcuc_quantize_f32_s16: the int16 nearest to each float.
 *
 * input   float [size]
 * output  int16 [size] = round(input / scale) + zero_point, halves away from zero, clamped to
 *         int16
 *
 * A quotient beyond int16 on either side, infinity too, gives the nearer end. NaN gives
 * zero_point.
 *
 * Ranges  1 <= size; 0 < scale, finite.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_QUANTIZE_F32_S16_H
#define MCUC_QUANTIZE_F32_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    float scale;
    int32_t zero_point;
} mcuc_quantize_f32_s16_params;

void mcuc_quantize_f32_s16(const mcuc_quantize_f32_s16_params *p, const float *input,
                           int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
