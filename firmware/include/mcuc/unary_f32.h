/*
 * mcuc_unary_f32: functions of one value that need little of the C library.
 *
 * input, output  float [size]
 *
 * operation is 'a' (without sign), 'c' (clamped to first..second), 'd' (whole number below), 'h'
 * (x * relu6(x + 3) / 6), 'l' (times first where below 0), 'n' (nearest whole number, halves to
 * even), 'q' (square root), 'r' (1 / square root), 'u' (whole number above), '2' (square) or '-'
 * (negative).
 *
 * Ranges  1 <= size.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_UNARY_F32_H
#define MCUC_UNARY_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    float first;
    float second;
    uint8_t operation;
} mcuc_unary_f32_params;

void mcuc_unary_f32(const mcuc_unary_f32_params *p, const float *input, float *output);

#ifdef __cplusplus
}
#endif

#endif
