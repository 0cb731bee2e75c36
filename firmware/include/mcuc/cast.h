/*
 * mcuc_cast: numbers of one type as another.
 *
 * input, output  [size], of types that in_type and out_type name: 'b' int8, 's' int16, 'i' int32,
 *                'u' uint32, 'f' float; input also '?' bool, which is 0 or 1
 *
 * An integer is cut to the width of the output. A float loses its fraction first; beyond int64 it
 * gives the nearer end of that, NaN gives 0.
 *
 * Ranges  1 <= size.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CAST_H
#define MCUC_CAST_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    uint8_t in_type;
    uint8_t out_type;
} mcuc_cast_params;

void mcuc_cast(const mcuc_cast_params *p, const void *input, void *output);

#ifdef __cplusplus
}
#endif

#endif
