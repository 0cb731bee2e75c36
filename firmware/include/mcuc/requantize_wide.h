/*
 * mcuc_requantize_wide: integers of one width at another scale, zero point and width.
 *
 * input   int8, int16 or int32 [size], elements of in_bytes
 * output  int8, int16 or int32 [size], elements of out_bytes
 *
 * Ranges  1 <= size; widths are 1, 2 or 4; 0 <= multiplier; -30 <= right_shift <= 31.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_REQUANTIZE_WIDE_H
#define MCUC_REQUANTIZE_WIDE_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    int32_t multiplier;
    int32_t in_zero_point;
    int32_t out_zero_point;
    int32_t out_min;
    int32_t out_max;
    int8_t right_shift;
    uint8_t in_bytes;
    uint8_t out_bytes;
} mcuc_requantize_wide_params;

void mcuc_requantize_wide(const mcuc_requantize_wide_params *p, const void *input, void *output);

#ifdef __cplusplus
}
#endif

#endif
