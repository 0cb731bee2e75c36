/*
 * mcuc_signal_auto_scale_s16: audio shifted to the top of int16.
 *
 * input   int16 [size]
 * output  int16 [size]; the input times 2^bits, modulo 2^16
 * bits    int32; as many as the largest magnitude leaves free, 0 for silence
 *
 * A magnitude of 2^15 wraps to the smallest number, which any later value replaces, as in TensorFlow
 * Lite Micro: where it stays the largest, bits is 0.
 *
 * Ranges  1 <= size.
 *
 * Order   The whole input is read; then bits is written; then element after element, ascending, is
 *         read and its result written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGNAL_AUTO_SCALE_S16_H
#define MCUC_SIGNAL_AUTO_SCALE_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t size;
} mcuc_signal_auto_scale_s16_params;

void mcuc_signal_auto_scale_s16(const mcuc_signal_auto_scale_s16_params *p, const int16_t *input,
                                int16_t *output, int32_t *bits);

#ifdef __cplusplus
}
#endif

#endif
