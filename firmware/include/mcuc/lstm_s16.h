/*
 * mcuc_lstm_s16: a long short-term memory of int16 with weights of int8.
 *
 * input   int16 [rows][inputs]
 * output  int16 [rows][units]
 * hidden  int16 [batches][units], state
 * cell    int16 [batches][units], state
 *
 * input_weights      int8 [4][units][inputs]
 * recurrent_weights  int8 [4][units][units]
 * bias               int64 [4][units]
 *
 * Row batch * batch_rows + step * step_rows of input and output is that of a batch and a step: either
 * lies outermost. The gates are input, forget, cell and output, in this order in all arrays.
 *
 * As mcuc_lstm_s8, but the sums of gates have 64 bits: input_ and recurrent_multiplier are below 2^15,
 * and the sums are rounded once.
 *
 * Ranges  1 <= batches, steps, inputs, units; 8 <= input_ and recurrent_right_shift <= 46; -30 <= other
 *         right shifts <= 31; 0 <= tanh_shift <= 31.
 *
 * Order   For each batch, for each step: the step's input and the batch's hidden state are read,
 *         cell states and the step's output are written, then the output is copied to the hidden
 *         state.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_LSTM_S16_H
#define MCUC_LSTM_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int8_t *input_weights;
    const int8_t *recurrent_weights;
    const int64_t *bias;
    const uint16_t *table;
    int32_t batches;
    int32_t steps;
    int32_t batch_rows;
    int32_t step_rows;
    int32_t inputs;
    int32_t units;
    int32_t input_multiplier[4];
    int32_t input_right_shift[4];
    int32_t recurrent_multiplier[4];
    int32_t recurrent_right_shift[4];
    int32_t forget_multiplier;
    int32_t forget_right_shift;
    int32_t cell_multiplier;
    int32_t cell_right_shift;
    int32_t hidden_multiplier;
    int32_t hidden_right_shift;
    int32_t hidden_zero_point;
    int32_t tanh_multiplier;
    int32_t tanh_shift;
    int32_t cell_min;
    int32_t cell_max;
} mcuc_lstm_s16_params;

void mcuc_lstm_s16(const mcuc_lstm_s16_params *p, const int16_t *input, int16_t *output,
                   int16_t *hidden, int16_t *cell);

#ifdef __cplusplus
}
#endif

#endif
