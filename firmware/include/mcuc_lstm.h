/*
 * mcuc_lstm.h: the loop of all LSTM kernels.
 *
 * A skeleton: a kernel defines MCUC_LSTM_PARAMS, mcuc_lstm_value (elements of input and output),
 * mcuc_lstm_cell_value (of the cell state) and four functions, and includes this:
 *
 *   mcuc_lstm_gate    the sum of a gate of a unit: its weights times the input and what it wrote
 *                     last, and its bias
 *   mcuc_lstm_open    the logistic function of that
 *   mcuc_lstm_cell    the new cell state, from the old one and what the first three gates give
 *   mcuc_lstm_hidden  what a unit writes, from its cell state and its last gate
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_LSTM_H
#define MCUC_LSTM_H

#include <string.h>

#include "mcuc.h"

/* Gates lie in this order in all arrays. */
enum { MCUC_LSTM_INPUT, MCUC_LSTM_FORGET, MCUC_LSTM_CELL, MCUC_LSTM_OUTPUT };

/* One step of one batch. All gates see what was written last, so output is not `hidden`. */
static inline void mcuc_lstm_step(const MCUC_LSTM_PARAMS *p, const mcuc_lstm_value *input,
                                  const mcuc_lstm_value *hidden, mcuc_lstm_value *output,
                                  mcuc_lstm_cell_value *cell)
{
    for (int32_t unit = 0; unit < p->units; unit++) {
        mcuc_lstm_cell_value sums[4];
        for (int32_t gate = MCUC_LSTM_INPUT; gate <= MCUC_LSTM_OUTPUT; gate++) {
            sums[gate] = mcuc_lstm_gate(p, gate, unit, input, hidden);
        }
        cell[unit] =
            mcuc_lstm_cell(p, cell[unit], mcuc_lstm_open(p, sums[MCUC_LSTM_INPUT]),
                           mcuc_lstm_open(p, sums[MCUC_LSTM_FORGET]), sums[MCUC_LSTM_CELL]);
        output[unit] = mcuc_lstm_hidden(p, cell[unit], mcuc_lstm_open(p, sums[MCUC_LSTM_OUTPUT]));
    }
}

static inline void mcuc_lstm_run(const MCUC_LSTM_PARAMS *p, const mcuc_lstm_value *input,
                                 mcuc_lstm_value *output, mcuc_lstm_value *hidden,
                                 mcuc_lstm_cell_value *cell)
{
    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t step = 0; step < p->steps; step++) {
            int32_t row = batch * p->batch_rows + step * p->step_rows;
            mcuc_lstm_value *result = output + row * p->units;
            mcuc_lstm_step(p, input + row * p->inputs, hidden, result, cell);
            (void)memcpy(hidden, result, (size_t)p->units * sizeof(*hidden));
        }
        hidden += p->units;
        cell += p->units;
    }
}

#endif
