/*
 * mcuc_add_s8: the sum of two tensors of the same shape.
 *
 * a, b    int8 [size]; the scale of `a` is at least that of `b`
 * output  int8 [size]
 *
 * Both are brought to the scale 2^-20 * 2 * scale of a, where `a` is a shift by 19 and `b` takes
 * b_multiplier and b_right_shift; their sum takes out_multiplier and out_right_shift.
 *
 * Ranges  1 <= size; 0 <= multipliers; 0 <= right shifts <= 31; -128 <= out_min <= out_max <= 127.
 *
 * Order   Element after element, ascending: element i of both inputs is read, then element i of the
 *         output is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ADD_S8_H
#define MCUC_ADD_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    int32_t b_multiplier;
    int32_t out_multiplier;
    int16_t a_offset; /* minus the zero point */
    int16_t b_offset;
    int8_t b_right_shift;
    int8_t out_right_shift;
    int8_t out_zero_point;
    int8_t out_min;
    int8_t out_max;
} mcuc_add_s8_params;

void mcuc_add_s8(const mcuc_add_s8_params *p, const int8_t *a, const int8_t *b, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
