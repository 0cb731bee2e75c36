/*
 * mcuc_rfft_s16: see mcuc/rfft_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/rfft_s16.h"

#define MCUC_FFT_PARAMS mcuc_rfft_s16_params
#include "mcuc_fft_s16.h"

void mcuc_rfft_s16(const mcuc_rfft_s16_params *p, const int16_t *input, int16_t *output)
{
    mcuc_fft_forward(p, input, output);
}
