/*
 * squared_relu: the square of what is above zero.
 *
 * input, output  int8 [size]
 *
 * Ranges  1 <= size; a multiplier and shift as quantize_multiplier gives them.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 */
#ifndef SQUARED_RELU_H
#define SQUARED_RELU_H

#include "mcuc.h"

typedef struct {
    uint32_t size;
    int32_t multiplier;
    int32_t right_shift;
    int32_t in_zero_point;
    int32_t out_zero_point;
} squared_relu_params;

void squared_relu(const squared_relu_params *p, const int8_t *input, int8_t *output);

#endif
