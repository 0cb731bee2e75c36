/*
 * mcuc_irfft_s32: rows of int32 from their spectra.
 *
 * input   int32 [rows][points + 1][2], the real part first
 * output  int32 [rows][2 * points]; integers are divided by 2 * points on the way
 *
 * The parameters are those of mcuc_rfft_s32, with exponents of the other sign; row_length is unused.
 *
 * Ranges  1 <= rows, points; 2 * points <= 2^17.
 *
 * Order   A row of the input is read as a whole, and written to the output's row, which is then read
 *         and written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_IRFFT_S32_H
#define MCUC_IRFFT_S32_H

#include "mcuc/rfft_s32.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef mcuc_rfft_s32_params mcuc_irfft_s32_params;

void mcuc_irfft_s32(const mcuc_irfft_s32_params *p, const int32_t *input, int32_t *output);

#ifdef __cplusplus
}
#endif

#endif
