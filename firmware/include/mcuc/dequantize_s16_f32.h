/*
 * mcuc_dequantize_s16_f32: the real values that int16 stand for.
 *
 * input   int16 [size]
 * output  float [size] = scale * (input - zero_point)
 *
 * Ranges  1 <= size; 0 < scale, finite.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DEQUANTIZE_S16_F32_H
#define MCUC_DEQUANTIZE_S16_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    float scale;
    int32_t zero_point;
} mcuc_dequantize_s16_f32_params;

void mcuc_dequantize_s16_f32(const mcuc_dequantize_s16_f32_params *p, const int16_t *input,
                             float *output);

#ifdef __cplusplus
}
#endif

#endif
