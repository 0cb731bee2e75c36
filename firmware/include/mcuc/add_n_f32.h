/*
 * mcuc_add_n_f32: the sum of any number of tensors.
 *
 * inputs  `count` tensors float [size]
 * output  float [size]
 *
 * Ranges  1 <= size, count.
 *
 * Order   Element after element, ascending: element i of each input is read in turn and added up
 *         from 0, then element i of the output is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ADD_N_F32_H
#define MCUC_ADD_N_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    int32_t count;
} mcuc_add_n_f32_params;

void mcuc_add_n_f32(const mcuc_add_n_f32_params *p, const void *const *inputs, float *output);

#ifdef __cplusplus
}
#endif

#endif
