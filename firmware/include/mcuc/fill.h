/*
 * mcuc_fill: one byte, again and again.
 *
 * output  size bytes, each `value`
 *
 * There is no input.
 *
 * Ranges  1 <= size; 0 <= value <= 255.
 *
 * Order   The output is written ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_FILL_H
#define MCUC_FILL_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
    uint8_t value;
} mcuc_fill_params;

void mcuc_fill(const mcuc_fill_params *p, void *output);

#ifdef __cplusplus
}
#endif

#endif
