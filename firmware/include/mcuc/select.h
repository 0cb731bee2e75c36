/*
 * mcuc_select: elements of one tensor or another.
 *
 * condition  input: bool, bytes
 * x, y       inputs: elements of element_bytes, any type
 * output     elements of element_bytes [shape[0]]..[shape[5]]
 *
 * The element is x's where the condition is not 0, else y's. Each input's element at an output's
 * coordinates is at the sum of coordinate * stride; a stride of 0 repeats.
 *
 * Ranges  1 <= shape, element_bytes.
 *
 * Order   Output elements in raster order: for each, the condition is read, then the element of x
 *         or of y, then it is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SELECT_H
#define MCUC_SELECT_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t shape[6];
    int32_t condition_strides[6];
    int32_t x_strides[6];
    int32_t y_strides[6];
    uint32_t element_bytes;
} mcuc_select_params;

void mcuc_select(const mcuc_select_params *p, const uint8_t *condition, const void *x,
                 const void *y, void *output);

#ifdef __cplusplus
}
#endif

#endif
