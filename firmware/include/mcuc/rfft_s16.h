/*
 * mcuc_rfft_s16: the spectra of rows of int16.
 *
 * input   int16 [rows][row_length], continued with zeros up to 2 * points
 * output  int16 [rows][points + 1][2], the real part first; integers are divided by 2 * points on the way
 *
 * twiddles       [points][2]: 32767 exp(-2 pi i k / points)
 * part_twiddles  [points / 2][2]: 32767 exp(-pi i ((k + 1) / points + 1 / 2))
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
#ifndef MCUC_RFFT_S16_H
#define MCUC_RFFT_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int16_t *twiddles;
    const int16_t *part_twiddles;
    const uint16_t *places;
    const uint8_t *radices;
    int32_t stages;
    int32_t rows;
    int32_t row_length;
    int32_t points;
} mcuc_rfft_s16_params;

void mcuc_rfft_s16(const mcuc_rfft_s16_params *p, const int16_t *input, int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
