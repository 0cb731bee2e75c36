/*
 * mcuc_signal_overlap_add_f32: frames that overlap, added up to one signal.
 *
 * input   float32 [rows][frames][size]
 * output  float32 [rows][frames][step]
 * state   float32 [rows][size - step], what earlier frames have beyond the signal so far
 *
 * A frame is added to the state; the first step sums are the output, the others the new state.
 *
 * Ranges  1 <= rows, frames, step; step <= size.
 *
 * Order   Row after row, frame after frame: values of the input and the state are read ascending, and
 *         the output, then the state are written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGNAL_OVERLAP_ADD_F32_H
#define MCUC_SIGNAL_OVERLAP_ADD_F32_H

#include "mcuc/signal_overlap_add_s16.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef mcuc_signal_overlap_add_s16_params mcuc_signal_overlap_add_f32_params;

void mcuc_signal_overlap_add_f32(const mcuc_signal_overlap_add_f32_params *p, const float *input,
                                 float *output, float *state);

#ifdef __cplusplus
}
#endif

#endif
