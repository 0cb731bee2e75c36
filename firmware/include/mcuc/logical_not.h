/*
 * mcuc_logical_not: where a condition does not hold.
 *
 * input   bool, bytes [size]
 * output  bool, bytes of 0 or 1 [size]
 *
 * Ranges  1 <= size.
 *
 * Order   Element after element, ascending: element i is read, then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_LOGICAL_NOT_H
#define MCUC_LOGICAL_NOT_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
} mcuc_logical_not_params;

void mcuc_logical_not(const mcuc_logical_not_params *p, const uint8_t *input, uint8_t *output);

#ifdef __cplusplus
}
#endif

#endif
