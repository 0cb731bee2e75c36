/*
 * mcuc_signal_pcan: channels with a gain that follows the noise in each.
 *
 * input   uint32 [size]
 * noise   uint32 [size]
 * output  uint32 [size]
 *
 * gains[x] is the gain for noise of x = 0, 1, 2. Then, for each power of two, come three numbers of a
 * parabola and one that is unused: the gain at 2^k, its slope and its curvature.
 *
 * The input times the gain, shifted right, is squared where it is small and loses an offset where it
 * is large; products wrap.
 *
 * Ranges  1 <= size; 125 gains; 0 <= shift <= 63.
 *
 * Order   Element after element, ascending: the elements of the input and the noise are read, then the
 *         result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGNAL_PCAN_H
#define MCUC_SIGNAL_PCAN_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int16_t *gains;
    int32_t size;
    int32_t shift;
} mcuc_signal_pcan_params;

void mcuc_signal_pcan(const mcuc_signal_pcan_params *p, const uint32_t *input,
                      const uint32_t *noise, uint32_t *output);

#ifdef __cplusplus
}
#endif

#endif
