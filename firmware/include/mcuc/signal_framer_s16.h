/*
 * mcuc_signal_framer_s16: audio in frames that overlap.
 *
 * input    int16 [rows][frames][step]
 * output   int16 [rows][frames][size]; zeros where not enough samples have come yet
 * valid    bool, 1 where all frames of this call are whole
 * count    int32, state: how many samples are kept of each row
 * history  int16 [rows][kept], state: those samples, the oldest first
 *
 * Each step of samples goes behind those that are kept. From size samples on, the first size of them
 * are a frame and the first step of them are dropped.
 *
 * Ranges  1 <= rows, frames, step; step <= size; kept is the largest count that there can be: count +
 *         step is below size + step.
 *
 * Order   Row after row, frame after frame: the step of the input and the history are read, the frame
 *         is written, then the history is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGNAL_FRAMER_S16_H
#define MCUC_SIGNAL_FRAMER_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t rows;
    int32_t frames;
    int32_t size;
    int32_t step;
    int32_t kept;
} mcuc_signal_framer_s16_params;

void mcuc_signal_framer_s16(const mcuc_signal_framer_s16_params *p, const int16_t *input,
                            int16_t *output, uint8_t *valid, int32_t *count, int16_t *history);

#ifdef __cplusplus
}
#endif

#endif
