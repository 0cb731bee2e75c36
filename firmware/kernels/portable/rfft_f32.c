/*
 * mcuc_rfft_f32: see mcuc/rfft_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/rfft_f32.h"

#define MCUC_FFT_PARAMS mcuc_rfft_f32_params
#include "mcuc_fft_f32.h"

void mcuc_rfft_f32(const mcuc_rfft_f32_params *p, const float *input, float *output)
{
    mcuc_fft_forward(p, input, output);
}
