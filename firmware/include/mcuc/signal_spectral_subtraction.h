/*
 * mcuc_signal_spectral_subtraction: channels less the noise in them.
 *
 * input   uint32 [size]
 * output  uint32 [size]
 * noise   uint32 [size], the estimate of the noise after this call
 * state   uint32 [size], the same estimate
 *
 * The estimate follows the input, shifted left by smoothing_bits: smoothing is the part of the new
 * value and rest that of the old one, in 2^-bits, for even and odd channels. It is subtracted from
 * the input, of which at least the part `floor` remains. With clamping 1 the estimate does not exceed
 * the input. Products have 64 bits; what they are cut to has 32.
 *
 * Ranges  1 <= size; 0 <= smoothing_bits <= 31; 0 <= bits <= 63; the others are not negative.
 *
 * Order   Element after element, ascending: the elements of input and state are read, then the results
 *         are written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGNAL_SPECTRAL_SUBTRACTION_H
#define MCUC_SIGNAL_SPECTRAL_SUBTRACTION_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t smoothing[2];
    int32_t rest[2];
    int32_t size;
    int32_t floor;
    int32_t smoothing_bits;
    int32_t bits;
    int32_t clamping;
} mcuc_signal_spectral_subtraction_params;

void mcuc_signal_spectral_subtraction(const mcuc_signal_spectral_subtraction_params *p,
                                      const uint32_t *input, uint32_t *output, uint32_t *noise,
                                      uint32_t *state);

#ifdef __cplusplus
}
#endif

#endif
