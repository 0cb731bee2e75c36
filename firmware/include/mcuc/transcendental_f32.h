/*
 * mcuc_transcendental_f32: the natural logarithm, the sine and the cosine.
 *
 * input, output  float [size]
 *
 * operation is 'g' (logarithm), 's' (sine) or 'c' (cosine).
 *
 * Ranges  1 <= size.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_TRANSCENDENTAL_F32_H
#define MCUC_TRANSCENDENTAL_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    uint8_t operation;
} mcuc_transcendental_f32_params;

void mcuc_transcendental_f32(const mcuc_transcendental_f32_params *p, const float *input,
                             float *output);

#ifdef __cplusplus
}
#endif

#endif
