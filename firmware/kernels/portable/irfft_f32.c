/*
 * mcuc_irfft_f32: see mcuc/irfft_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/irfft_f32.h"

#define MCUC_FFT_PARAMS mcuc_irfft_f32_params
#include "mcuc_fft_f32.h"

void mcuc_irfft_f32(const mcuc_irfft_f32_params *p, const float *input, float *output)
{
    mcuc_fft_backward(p, input, output);
    int32_t size = 2 * p->points;
    for (int32_t i = 0; i < p->rows * size; i++) {
        output[i] /= (float)size;
    }
}
