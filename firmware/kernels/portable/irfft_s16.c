/*
 * mcuc_irfft_s16: see mcuc/irfft_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/irfft_s16.h"

#define MCUC_FFT_PARAMS mcuc_irfft_s16_params
#include "mcuc_fft_s16.h"

void mcuc_irfft_s16(const mcuc_irfft_s16_params *p, const int16_t *input, int16_t *output)
{
    mcuc_fft_backward(p, input, output);
}
