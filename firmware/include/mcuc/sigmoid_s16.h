/*
 * mcuc_sigmoid_s16: the logistic function or the hyperbolic tangent, by a table.
 *
 * input, output  int16 [size]; an output of 32768 would be 1
 *
 * An input x stands for (x * multiplier, rounded by shift bits) / 2^17 * 2/3 in the table's steps:
 * table[i] is 65536 / (1 + exp(-i / 24)). is_tanh is 1 for the tangent.
 *
 * Ranges  1 <= size; 0 <= multiplier, products modulo 2^32; 0 <= shift <= 31; 256 entries.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGMOID_S16_H
#define MCUC_SIGMOID_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint16_t *table;
    uint32_t size;
    int32_t multiplier;
    uint8_t shift;
    uint8_t is_tanh;
} mcuc_sigmoid_s16_params;

void mcuc_sigmoid_s16(const mcuc_sigmoid_s16_params *p, const int16_t *input, int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
