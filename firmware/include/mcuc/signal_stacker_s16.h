/*
 * mcuc_signal_stacker_s16: frames, several side by side.
 *
 * input    int16 [size]
 * output   int16 [stack][size]; zeros where not enough frames have come yet
 * valid    bool, 1 where the output is whole
 * count    int32, state: how many frames are kept, below 0 before the first one
 * history  int16 [stack - 1][size], state: those frames, the oldest first
 *
 * Before the first frame come `left` copies of it. From stack frames on, the first of them are the
 * output and `step` of them are dropped.
 *
 * Ranges  1 <= size, stack, step; step <= stack; 0 <= left < stack.
 *
 * Order   The input and the history are read, the output is written, then the history is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGNAL_STACKER_S16_H
#define MCUC_SIGNAL_STACKER_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t size;
    int32_t stack;
    int32_t step;
    int32_t left;
} mcuc_signal_stacker_s16_params;

void mcuc_signal_stacker_s16(const mcuc_signal_stacker_s16_params *p, const int16_t *input,
                             int16_t *output, uint8_t *valid, int32_t *count, int16_t *history);

#ifdef __cplusplus
}
#endif

#endif
