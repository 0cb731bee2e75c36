/*
 * mcuc_lstm_f32: a long short-term memory of float32.
 *
 * input   float32 [rows][inputs]
 * output  float32 [rows][units]
 * hidden  float32 [batches][units], state
 * cell    float32 [batches][units], state
 *
 * input_weights      float32 [4][units][inputs]
 * recurrent_weights  float32 [4][units][units]
 * bias               float32 [4][units]
 *
 * Row batch * batch_rows + step * step_rows of input and output is that of a batch and a step: either
 * lies outermost. The gates are input, forget, cell and output, in this order in all arrays.
 *
 * As mcuc_lstm_s8, without scales; the cell state is clamped to [-cell_clip, cell_clip].
 *
 * Ranges  1 <= batches, steps, inputs, units; 0 < cell_clip.
 *
 * Order   For each batch, for each step: the step's input and the batch's hidden state are read,
 *         cell states and the step's output are written, then the output is copied to the hidden
 *         state.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_LSTM_F32_H
#define MCUC_LSTM_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const float *input_weights;
    const float *recurrent_weights;
    const float *bias;
    int32_t batches;
    int32_t steps;
    int32_t batch_rows;
    int32_t step_rows;
    int32_t inputs;
    int32_t units;
    float cell_clip;
} mcuc_lstm_f32_params;

void mcuc_lstm_f32(const mcuc_lstm_f32_params *p, const float *input, float *output, float *hidden,
                   float *cell);

#ifdef __cplusplus
}
#endif

#endif
