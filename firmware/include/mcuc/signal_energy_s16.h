/*
 * mcuc_signal_energy_s16: the squares of the magnitudes of complex numbers.
 *
 * input   int16 [size][2], the real part first
 * output  uint32 [size]; 0 outside of [begin, end)
 *
 * Ranges  1 <= size; 0 <= begin <= end <= size.
 *
 * Order   Element after element, ascending: both parts are read, then the result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGNAL_ENERGY_S16_H
#define MCUC_SIGNAL_ENERGY_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t size;
    int32_t begin;
    int32_t end;
} mcuc_signal_energy_s16_params;

void mcuc_signal_energy_s16(const mcuc_signal_energy_s16_params *p, const int16_t *input,
                            uint32_t *output);

#ifdef __cplusplus
}
#endif

#endif
