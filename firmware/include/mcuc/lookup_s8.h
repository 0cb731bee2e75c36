/*
 * mcuc_lookup_s8: each value replaced by what a table has for it.
 *
 * input, output  int8 (or other types of one byte) [size]
 *
 * table[x + 128] is what becomes of x.
 *
 * Ranges  1 <= size; 256 entries.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_LOOKUP_S8_H
#define MCUC_LOOKUP_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int8_t *table;
    uint32_t size;
} mcuc_lookup_s8_params;

void mcuc_lookup_s8(const mcuc_lookup_s8_params *p, const void *input, void *output);

#ifdef __cplusplus
}
#endif

#endif
