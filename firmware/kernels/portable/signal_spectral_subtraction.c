/*
 * mcuc_signal_spectral_subtraction: see mcuc/signal_spectral_subtraction.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/signal_spectral_subtraction.h"

void mcuc_signal_spectral_subtraction(const mcuc_signal_spectral_subtraction_params *p,
                                      const uint32_t *input, uint32_t *output, uint32_t *noise,
                                      uint32_t *state)
{
    for (int32_t i = 0; i < p->size; i++) {
        uint32_t signal = input[i] << p->smoothing_bits;
        uint64_t sum = (uint64_t)signal * (uint32_t)p->smoothing[i % 2] +
                       (uint64_t)state[i] * (uint32_t)p->rest[i % 2];
        uint32_t estimate = (uint32_t)(sum >> p->bits);
        uint32_t below = estimate < signal ? estimate : signal;
        uint32_t least = (uint32_t)(((uint64_t)input[i] * (uint32_t)p->floor) >> p->bits);
        uint32_t left = (signal - below) >> p->smoothing_bits;

        output[i] = left > least ? left : least;
        state[i] = p->clamping ? below : estimate;
        noise[i] = state[i];
    }
}
