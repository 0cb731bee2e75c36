/*
 * mcuc_signal_filter_bank: energies of frequencies, weighted into channels.
 *
 * input   uint32, one a frequency
 * output  uint64 [channels]
 *
 * A range i, of channels + 1, is widths[i] frequencies from starts[i] on, with weights from
 * weight_starts[i] on. Channel i is what range i + 1 gives by the weights plus what range i gives by
 * the unweights, so that each range is shared by two channels; all sums are modulo 2^64.
 *
 * Ranges  1 <= channels; channels + 1 starts, weight_starts and widths; all places they name inside.
 *
 * Order   Output elements ascending: frequencies are read, then it is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGNAL_FILTER_BANK_H
#define MCUC_SIGNAL_FILTER_BANK_H

#include "mcuc_wide.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int16_t *weights;
    const int16_t *unweights;
    const int16_t *starts;
    const int16_t *weight_starts;
    const int16_t *widths;
    int32_t channels;
} mcuc_signal_filter_bank_params;

void mcuc_signal_filter_bank(const mcuc_signal_filter_bank_params *p, const uint32_t *input,
                             mcuc_wide *output);

#ifdef __cplusplus
}
#endif

#endif
