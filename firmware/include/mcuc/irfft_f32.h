/*
 * mcuc_irfft_f32: rows of float32 from their spectra.
 *
 * input   float32 [rows][points + 1][2], the real part first
 * output  float32 [rows][2 * points], divided by 2 * points
 *
 * The parameters are those of mcuc_rfft_f32, with exponents of the other sign; row_length is unused.
 *
 * Ranges  1 <= rows, points; 2 * points <= 2^17.
 *
 * Order   A row of the input is read as a whole, and written to the output's row, which is then read
 *         and written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_IRFFT_F32_H
#define MCUC_IRFFT_F32_H

#include "mcuc/rfft_f32.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef mcuc_rfft_f32_params mcuc_irfft_f32_params;

void mcuc_irfft_f32(const mcuc_irfft_f32_params *p, const float *input, float *output);

#ifdef __cplusplus
}
#endif

#endif
