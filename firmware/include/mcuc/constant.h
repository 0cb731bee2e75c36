/*
 * mcuc_constant: values that are known beforehand.
 *
 * output  int32 [size], those of `values`
 *
 * There is no input.
 *
 * Ranges  1 <= size.
 *
 * Order   The output is written ascending.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CONSTANT_H
#define MCUC_CONSTANT_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int32_t *values;
    uint32_t size;
} mcuc_constant_params;

void mcuc_constant(const mcuc_constant_params *p, int32_t *output);

#ifdef __cplusplus
}
#endif

#endif
