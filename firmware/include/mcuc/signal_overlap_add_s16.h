/*
 * mcuc_signal_overlap_add_s16: frames that overlap, added up to one signal.
 *
 * input   int16 [rows][frames][size]
 * output  int16 [rows][frames][step]
 * state   int16 [rows][size - step], what earlier frames have beyond the signal so far
 *
 * A frame is added to the state; the first step sums are the output, the others the new state. Sums
 * are clamped to int16.
 *
 * Ranges  1 <= rows, frames, step; step <= size.
 *
 * Order   Row after row, frame after frame: values of the input and the state are read ascending, and
 *         the output, then the state are written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGNAL_OVERLAP_ADD_S16_H
#define MCUC_SIGNAL_OVERLAP_ADD_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t rows;
    int32_t frames;
    int32_t size;
    int32_t step;
} mcuc_signal_overlap_add_s16_params;

void mcuc_signal_overlap_add_s16(const mcuc_signal_overlap_add_s16_params *p, const int16_t *input,
                                 int16_t *output, int16_t *state);

#ifdef __cplusplus
}
#endif

#endif
