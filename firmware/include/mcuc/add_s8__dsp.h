/*
 * mcuc_add_s8__dsp: mcuc_add_s8 for the DSP extension, with a table.
 *
 * a, b    int8 [size]; the scale of `a` is at least that of `b`
 * output  int8 [size]
 *
 * table   [256], by the byte of b: twice what b adds to the sum of mcuc_add_s8, less the zero point
 *         of a times 2^20. A doubled sum is then the entry plus a * 2^20.
 * multiplier, constant, right_shift  those of mcuc_dsp.h; the sign counts.
 *
 * Ranges  1 <= size; 1 <= right_shift <= 23.
 *
 * Order   Element after element, ascending: element i of both inputs is read, then element i of the
 *         output is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ADD_S8__DSP_H
#define MCUC_ADD_S8__DSP_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int32_t *table;
    uint32_t size;
    int32_t multiplier;
    int32_t constant;
    int32_t right_shift;
} mcuc_add_s8__dsp_params;

void mcuc_add_s8__dsp(const mcuc_add_s8__dsp_params *p, const int8_t *a, const int8_t *b,
                      int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
