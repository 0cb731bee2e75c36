/*
 * mcuc_add_n_s8: the sum of any number of tensors of one scale.
 *
 * inputs  `count` tensors int8 [size], all of the same scale and zero point
 * output  int8 [size]
 *
 * Each value less its zero point is shifted left by 19; their sum starts at minus the zero point,
 * shifted alike, as TensorFlow Lite has it.
 *
 * Ranges  1 <= size, count; 0 <= multiplier; 0 <= right_shift <= 31.
 *
 * Order   Element after element, ascending: element i of each input is read, then element i of the
 *         output is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ADD_N_S8_H
#define MCUC_ADD_N_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    int32_t count;
    int32_t multiplier;
    int32_t zero_point;
    int32_t out_zero_point;
    int8_t right_shift;
} mcuc_add_n_s8_params;

void mcuc_add_n_s8(const mcuc_add_n_s8_params *p, const void *const *inputs, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
