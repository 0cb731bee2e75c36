/*
 * mcuc_rsqrt_s16: one over the square root of each value.
 *
 * input, output  int16 [size]
 *
 * Values at or below the zero point give the largest int16.
 *
 * Ranges  1 <= size; 0 <= multiplier; -10 <= right_shift <= 31.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_RSQRT_S16_H
#define MCUC_RSQRT_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    int32_t multiplier;
    int32_t in_zero_point;
    int32_t out_zero_point;
    int8_t right_shift;
} mcuc_rsqrt_s16_params;

void mcuc_rsqrt_s16(const mcuc_rsqrt_s16_params *p, const int16_t *input, int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
