/*
 * mcuc_signal_delay_s16: audio, delayed by a number of samples.
 *
 * input   int16 [rows][size]
 * output  int16 [rows][size]
 * state   int16 [rows][delay], the samples to come, the next one first
 *
 * Ranges  1 <= rows, size, delay.
 *
 * Order   Row after row: the input's row and the state are read, the output's row is written, then the
 *         state is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGNAL_DELAY_S16_H
#define MCUC_SIGNAL_DELAY_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t rows;
    int32_t size;
    int32_t delay;
} mcuc_signal_delay_s16_params;

void mcuc_signal_delay_s16(const mcuc_signal_delay_s16_params *p, const int16_t *input,
                           int16_t *output, int16_t *state);

#ifdef __cplusplus
}
#endif

#endif
