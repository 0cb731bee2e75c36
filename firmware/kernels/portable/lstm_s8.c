/*
 * mcuc_lstm_s8: see mcuc/lstm_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/lstm_s8.h"

#include "mcuc_math.h"

#define MCUC_LSTM_PARAMS mcuc_lstm_s8_params
#define MCUC_LSTM_VALUE_MIN INT8_MIN
#define MCUC_LSTM_VALUE_MAX INT8_MAX
typedef int8_t mcuc_lstm_value;

static inline uint32_t dot(const int8_t *a, const int8_t *b, int32_t size)
{
    int32_t sum = 0;

    for (int32_t i = 0; i < size; i++) {
        sum += a[i] * b[i];
    }
    return (uint32_t)sum;
}

static inline int32_t mcuc_lstm_input_sum(const MCUC_LSTM_PARAMS *p, int32_t gate, int32_t unit,
                                          const int8_t *input)
{
    int32_t row = gate * p->units + unit;
    uint32_t sum =
        dot(p->input_weights + row * p->inputs, input, p->inputs) + (uint32_t)p->bias[row];

    sum = (uint32_t)mcuc_scale(sum, p->input_multiplier[gate], p->input_right_shift[gate], 0);
    return mcuc_clamp((int32_t)sum, INT16_MIN, INT16_MAX);
}

static inline int32_t mcuc_lstm_recurrent_sum(const MCUC_LSTM_PARAMS *p, int32_t gate, int32_t unit,
                                              const int8_t *hidden)
{
    int32_t row = gate * p->units + unit;
    uint32_t sum = dot(p->recurrent_weights + row * p->units, hidden, p->units) +
                   (uint32_t)p->recurrent_bias[row];

    sum =
        (uint32_t)mcuc_scale(sum, p->recurrent_multiplier[gate], p->recurrent_right_shift[gate], 0);
    return mcuc_clamp((int32_t)sum, INT16_MIN, INT16_MAX);
}

#include "mcuc_lstm_fixed.h"

void mcuc_lstm_s8(const mcuc_lstm_s8_params *p, const int8_t *input, int8_t *output, int8_t *hidden,
                  int16_t *cell)
{
    mcuc_lstm_run(p, input, output, hidden, cell);
}
