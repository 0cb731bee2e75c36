/*
 * mcuc_broadcast_args: the shape that two shapes broadcast to.
 *
 * a, b    inputs: int32 [a_size], [b_size], shapes, the last dimension last
 * output  int32 [larger of a_size and b_size]
 *
 * Along each dimension, counted from the last: b's size where a has 1, else a's.
 *
 * Ranges  1 <= a_size, b_size.
 *
 * Order   Output elements descending: for each, those of `a` and `b` are read, then it is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_BROADCAST_ARGS_H
#define MCUC_BROADCAST_ARGS_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t a_size;
    int32_t b_size;
} mcuc_broadcast_args_params;

void mcuc_broadcast_args(const mcuc_broadcast_args_params *p, const int32_t *a, const int32_t *b,
                         int32_t *output);

#ifdef __cplusplus
}
#endif

#endif
