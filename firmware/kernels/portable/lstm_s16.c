/*
 * mcuc_lstm_s16: see mcuc/lstm_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/lstm_s16.h"

#include "mcuc_wide_sums.h"

#define MCUC_LSTM_PARAMS mcuc_lstm_s16_params
#define MCUC_LSTM_VALUE_MIN INT16_MIN
#define MCUC_LSTM_VALUE_MAX INT16_MAX
typedef int16_t mcuc_lstm_value;

static inline int64_t dot(const int8_t *weights, const int16_t *x, int32_t size)
{
    int64_t sum = 0;

    for (int32_t i = 0; i < size; i++) {
        sum += weights[i] * x[i];
    }
    return sum;
}

static inline int32_t mcuc_lstm_input_sum(const MCUC_LSTM_PARAMS *p, int32_t gate, int32_t unit,
                                          const int16_t *input)
{
    int32_t row = gate * p->units + unit;
    int64_t sum = dot(p->input_weights + row * p->inputs, input, p->inputs);

    return mcuc_requantize_s16(sum, p->bias[row], p->input_multiplier[gate],
                               p->input_right_shift[gate], 1, INT16_MIN, INT16_MAX);
}

static inline int32_t mcuc_lstm_recurrent_sum(const MCUC_LSTM_PARAMS *p, int32_t gate, int32_t unit,
                                              const int16_t *hidden)
{
    int32_t row = gate * p->units + unit;
    int64_t sum = dot(p->recurrent_weights + row * p->units, hidden, p->units);

    return mcuc_requantize_s16(sum, 0, p->recurrent_multiplier[gate],
                               p->recurrent_right_shift[gate], 1, INT16_MIN, INT16_MAX);
}

#include "mcuc_lstm_fixed.h"

void mcuc_lstm_s16(const mcuc_lstm_s16_params *p, const int16_t *input, int16_t *output,
                   int16_t *hidden, int16_t *cell)
{
    mcuc_lstm_run(p, input, output, hidden, cell);
}
