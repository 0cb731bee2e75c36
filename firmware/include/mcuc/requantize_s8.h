/*
 * mcuc_requantize_s8: the same values at another scale and zero point.
 *
 * input, output  int8 [size]
 *
 * Ranges  1 <= size; 0 <= multiplier; -30 <= right_shift <= 31.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_REQUANTIZE_S8_H
#define MCUC_REQUANTIZE_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    int32_t multiplier;
    int8_t right_shift;
    int8_t in_zero_point;
    int8_t out_zero_point;
} mcuc_requantize_s8_params;

void mcuc_requantize_s8(const mcuc_requantize_s8_params *p, const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
