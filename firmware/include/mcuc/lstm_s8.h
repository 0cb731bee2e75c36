/*
 * mcuc_lstm_s8: a long short-term memory of int8, its cell state int16.
 *
 * input   int8 [rows][inputs]
 * output  int8 [rows][units]
 * hidden  int8 [batches][units], state
 * cell    int16 [batches][units], state
 *
 * input_weights      int8 [4][units][inputs]
 * recurrent_weights  int8 [4][units][units]
 * bias               int32 [4][units], less the input's zero point times the sum of the weights
 * recurrent_bias     int32 [4][units], likewise for the hidden state
 *
 * Row batch * batch_rows + step * step_rows of input and output is that of a batch and a step: either
 * lies outermost. The gates are input, forget, cell and output, in this order in all arrays.
 *
 * A gate is what its weights give for the input, scaled to 2^-12, plus what they give for the hidden
 * state. The cell state is the forget gate times itself plus the input gate times the tangent of the
 * cell gate, clamped to [cell_min, cell_max]; a unit writes the tangent of that times the output gate.
 * table is that of mcuc_sigmoid.h; tanh_multiplier and tanh_shift bring the cell state to its steps.
 *
 * Ranges  1 <= batches, steps, inputs, units; -30 <= right shifts <= 31; 0 <= tanh_shift <= 31.
 *
 * Order   For each batch, for each step: the step's input and the batch's hidden state are read,
 *         cell states and the step's output are written, then the output is copied to the hidden
 *         state.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_LSTM_S8_H
#define MCUC_LSTM_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int8_t *input_weights;
    const int8_t *recurrent_weights;
    const int32_t *bias;
    const int32_t *recurrent_bias;
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
} mcuc_lstm_s8_params;

void mcuc_lstm_s8(const mcuc_lstm_s8_params *p, const int8_t *input, int8_t *output, int8_t *hidden,
                  int16_t *cell);

#ifdef __cplusplus
}
#endif

#endif
