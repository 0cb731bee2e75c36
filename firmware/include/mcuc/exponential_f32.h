/*
 * mcuc_exponential_f32: functions made of exponentials.
 *
 * input, output  float [size]
 *
 * operation is 'e' (exp), 'l' (1 / (1 + exp(-x))), 't' (hyperbolic tangent) or 'x' (exp(x) - 1
 * where x is below 0, else x).
 *
 * Ranges  1 <= size.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_EXPONENTIAL_F32_H
#define MCUC_EXPONENTIAL_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    uint8_t operation;
} mcuc_exponential_f32_params;

void mcuc_exponential_f32(const mcuc_exponential_f32_params *p, const float *input, float *output);

#ifdef __cplusplus
}
#endif

#endif
