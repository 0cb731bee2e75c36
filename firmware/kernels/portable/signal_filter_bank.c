/*
 * mcuc_signal_filter_bank: see mcuc/signal_filter_bank.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/signal_filter_bank.h"

/* The sum of the frequencies of range i, weighted. */
static inline uint64_t range_sum(const mcuc_signal_filter_bank_params *p, int32_t i,
                                 const int16_t *weights, const uint32_t *input)
{
    const uint32_t *x = input + p->starts[i];
    const int16_t *w = weights + p->weight_starts[i];
    uint64_t sum = 0;

    for (int32_t k = 0; k < p->widths[i]; k++) {
        sum += (uint64_t)(int64_t)w[k] * x[k];
    }
    return sum;
}

void mcuc_signal_filter_bank(const mcuc_signal_filter_bank_params *p, const uint32_t *input,
                             mcuc_wide *output)
{
    for (int32_t i = 0; i < p->channels; i++) {
        uint64_t sum =
            range_sum(p, i, p->unweights, input) + range_sum(p, i + 1, p->weights, input);
        output[i].low = (uint32_t)sum;
        output[i].high = (uint32_t)(sum >> 32);
    }
}
