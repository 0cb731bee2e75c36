/*
 * mcuc_lstm_fixed.h: LSTM with a cell state of int16. A kernel defines MCUC_LSTM_PARAMS,
 * mcuc_lstm_value, MCUC_LSTM_VALUE_MIN and _MAX, and two sums, mcuc_lstm_input_sum and
 * mcuc_lstm_recurrent_sum, of a gate of a unit, scaled to 2^-12 and clamped to int16.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_LSTM_FIXED_H
#define MCUC_LSTM_FIXED_H

#include "mcuc_math.h"
#include "mcuc_sigmoid.h"

typedef int16_t mcuc_lstm_cell_value;

static inline int16_t mcuc_lstm_clamp_s16(int32_t x)
{
    return (int16_t)mcuc_clamp(x, INT16_MIN, INT16_MAX);
}

static inline int16_t mcuc_lstm_gate(const MCUC_LSTM_PARAMS *p, int32_t gate, int32_t unit,
                                     const mcuc_lstm_value *input, const mcuc_lstm_value *hidden)
{
    return mcuc_lstm_clamp_s16(mcuc_lstm_input_sum(p, gate, unit, input) +
                               mcuc_lstm_recurrent_sum(p, gate, unit, hidden));
}

static inline int16_t mcuc_lstm_open(const MCUC_LSTM_PARAMS *p, int16_t sum)
{
    return mcuc_logistic_s16(p->table, mcuc_sigmoid_argument(sum, 3, 0));
}

static inline int32_t mcuc_lstm_product(int32_t a, int32_t b, int32_t multiplier, int32_t shift)
{
    return mcuc_scale((uint32_t)(a * b), multiplier, shift, 0);
}

/* What is kept and what is new are clamped apart, then their sum; cell_clip bounds it. */
static inline int16_t mcuc_lstm_cell(const MCUC_LSTM_PARAMS *p, int16_t cell, int16_t in,
                                     int16_t forget, int16_t sum)
{
    int32_t candidate = mcuc_tanh_s16(p->table, mcuc_sigmoid_argument(sum, 3, 0));
    int32_t kept = mcuc_lstm_product(forget, cell, p->forget_multiplier, p->forget_right_shift);
    int32_t added = mcuc_lstm_product(in, candidate, p->cell_multiplier, p->cell_right_shift);
    int32_t state = mcuc_lstm_clamp_s16(kept) + mcuc_lstm_clamp_s16(added);

    return (int16_t)mcuc_clamp(state, p->cell_min, p->cell_max);
}

static inline mcuc_lstm_value mcuc_lstm_hidden(const MCUC_LSTM_PARAMS *p, int16_t cell, int16_t out)
{
    int32_t x = mcuc_sigmoid_argument(cell, p->tanh_multiplier, p->tanh_shift);
    int32_t product = (int32_t)mcuc_tanh_s16(p->table, x) * out;
    int32_t hidden = mcuc_scale((uint32_t)product, p->hidden_multiplier, p->hidden_right_shift,
                                p->hidden_zero_point);

    return (mcuc_lstm_value)mcuc_clamp(hidden, MCUC_LSTM_VALUE_MIN, MCUC_LSTM_VALUE_MAX);
}

#include "mcuc_lstm.h"

#endif
