/*
 * mcuc_rfft_s32: see mcuc/rfft_s32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/rfft_s32.h"

#define MCUC_FFT_PARAMS mcuc_rfft_s32_params
#include "mcuc_fft_s32.h"

void mcuc_rfft_s32(const mcuc_rfft_s32_params *p, const int32_t *input, int32_t *output)
{
    mcuc_fft_forward(p, input, output);
}
