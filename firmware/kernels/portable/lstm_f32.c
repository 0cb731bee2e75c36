/*
 * mcuc_lstm_f32: see mcuc/lstm_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/lstm_f32.h"

#include <float.h>

#include "mcuc_float.h"
#include "mcuc_logistic_f32.h"

#define MCUC_LSTM_PARAMS mcuc_lstm_f32_params
typedef float mcuc_lstm_value;
typedef float mcuc_lstm_cell_value;

/* No sum and no product becomes infinite, as in TensorFlow Lite. */
static inline float finite(float x)
{
    return mcuc_clamp_f32(x, -FLT_MAX, FLT_MAX);
}

static inline float dot(const float *a, const float *b, int32_t size)
{
    float sum = 0.0f;

    for (int32_t i = 0; i < size; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static inline float mcuc_lstm_gate(const MCUC_LSTM_PARAMS *p, int32_t gate, int32_t unit,
                                   const float *input, const float *hidden)
{
    int32_t row = gate * p->units + unit;
    float in = finite(dot(input, p->input_weights + row * p->inputs, p->inputs) + p->bias[row]);

    return in + finite(dot(hidden, p->recurrent_weights + row * p->units, p->units));
}

static inline float mcuc_lstm_open(const MCUC_LSTM_PARAMS *p, float sum)
{
    (void)p;
    return mcuc_logistic_f32(sum);
}

static inline float mcuc_lstm_cell(const MCUC_LSTM_PARAMS *p, float cell, float in, float forget,
                                   float sum)
{
    float state = finite(forget * cell) + finite(in * tanhf(sum));

    return mcuc_clamp_f32(state, -p->cell_clip, p->cell_clip);
}

static inline float mcuc_lstm_hidden(const MCUC_LSTM_PARAMS *p, float cell, float out)
{
    (void)p;
    return finite(tanhf(cell) * out);
}

#include "mcuc_lstm.h"

void mcuc_lstm_f32(const mcuc_lstm_f32_params *p, const float *input, float *output, float *hidden,
                   float *cell)
{
    mcuc_lstm_run(p, input, output, hidden, cell);
}
