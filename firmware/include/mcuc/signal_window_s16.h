/*
 * mcuc_signal_window_s16: frames of audio times the values of a window.
 *
 * input   int16 [frames][size]
 * window  int16 [size]
 * output  int16 [frames][size]; each product is shifted right, rounding down, and clamped
 *
 * Ranges  1 <= frames, size; 0 <= shift <= 31.
 *
 * Order   Element after element, ascending: the element of the input and that of the window are read,
 *         then the result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGNAL_WINDOW_S16_H
#define MCUC_SIGNAL_WINDOW_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t frames;
    int32_t size;
    int32_t shift;
} mcuc_signal_window_s16_params;

void mcuc_signal_window_s16(const mcuc_signal_window_s16_params *p, const int16_t *input,
                            const int16_t *window, int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
