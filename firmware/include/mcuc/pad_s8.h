/*
 * mcuc_pad_s8: a tensor with a margin of one value around it.
 *
 * input   int8 [in_shape[0]]..[in_shape[4]]
 * output  int8 [before + in_shape + after in each dimension]
 *
 * Ranges  1 <= in_shape; 0 <= before, after.
 *
 * Order   The output is written ascending, run after run. Rows of the last dimension are read
 *         ascending, each once, when its place in the output is reached; each is moved as by
 *         memmove.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_PAD_S8_H
#define MCUC_PAD_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t in_shape[5];
    int32_t before[5];
    int32_t after[5];
    int8_t value;
} mcuc_pad_s8_params;

void mcuc_pad_s8(const mcuc_pad_s8_params *p, const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
