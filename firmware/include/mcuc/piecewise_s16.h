/*
 * mcuc_piecewise_s16: values at another scale, those below the zero point at a scale of their own.
 *
 * input, output  int16 [size]
 *
 * Values less in_zero_point take positive_multiplier where they are at least 0, else, times
 * negative_sign, negative_multiplier; what comes of those is multiplied by out_sign.
 *
 * Ranges  1 <= size; 0 <= multipliers; -30 <= right shifts <= 31; signs are 1 or -1; -32768 <=
 *         out_min <= out_max <= 32767.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_PIECEWISE_S16_H
#define MCUC_PIECEWISE_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    int32_t positive_multiplier;
    int32_t negative_multiplier;
    int32_t in_zero_point;
    int32_t out_zero_point;
    int32_t out_min;
    int32_t out_max;
    int8_t positive_right_shift;
    int8_t negative_right_shift;
    int8_t negative_sign;
    int8_t out_sign;
} mcuc_piecewise_s16_params;

void mcuc_piecewise_s16(const mcuc_piecewise_s16_params *p, const int16_t *input, int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
