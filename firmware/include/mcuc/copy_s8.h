/*
 * mcuc_copy_s8: the same bytes under another shape.
 *
 * input, output  size bytes, elements of any type
 *
 * Ranges  1 <= size.
 *
 * Order   As memmove: input and output may overlap in any way.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_COPY_S8_H
#define MCUC_COPY_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
} mcuc_copy_s8_params;

void mcuc_copy_s8(const mcuc_copy_s8_params *p, const void *input, void *output);

#ifdef __cplusplus
}
#endif

#endif
