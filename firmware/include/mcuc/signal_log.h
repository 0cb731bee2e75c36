/*
 * mcuc_signal_log: natural logarithms, scaled to int16.
 *
 * input   uint32 [size], shifted left by correction_bits first, modulo 2^32
 * output  int16 [size]; log(x) * scale, at most 32767; 0 for x of 0 and 1
 *
 * table[i] is log2(1 + i / 128) - i / 128 in 2^-16, for i of 0 to 128.
 *
 * Ranges  1 <= size; 0 <= scale; 0 <= correction_bits <= 31; 129 entries.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGNAL_LOG_H
#define MCUC_SIGNAL_LOG_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint16_t *table;
    int32_t size;
    int32_t scale;
    int32_t correction_bits;
} mcuc_signal_log_params;

void mcuc_signal_log(const mcuc_signal_log_params *p, const uint32_t *input, int16_t *output);

#ifdef __cplusplus
}
#endif

#endif
