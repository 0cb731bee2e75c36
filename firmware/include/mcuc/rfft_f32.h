/*
 * mcuc_rfft_f32: the spectra of rows of float32.
 *
 * input   float32 [rows][row_length], continued with zeros up to 2 * points
 * output  float32 [rows][points + 1][2], the real part first
 *
 * twiddles       [points][2]: exp(-2 pi i k / points)
 * part_twiddles  [points / 2][2]: exp(-pi i ((k + 1) / points + 1 / 2))
 * places         [points]: where each pair of numbers starts out
 * radices        [stages]: 2, 3, 4 or 5, from the innermost on; their product is points
 *
 * Ranges  1 <= rows, row_length, points; row_length <= 2 * points <= 2^17.
 *
 * Order   A row of the input is read as a whole, and written to the output's row, which is then read
 *         and written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_RFFT_F32_H
#define MCUC_RFFT_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const float *twiddles;
    const float *part_twiddles;
    const uint16_t *places;
    const uint8_t *radices;
    int32_t stages;
    int32_t rows;
    int32_t row_length;
    int32_t points;
} mcuc_rfft_f32_params;

void mcuc_rfft_f32(const mcuc_rfft_f32_params *p, const float *input, float *output);

#ifdef __cplusplus
}
#endif

#endif
