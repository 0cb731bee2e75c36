/*
 * mcuc_update_slice: a tensor with a part of it replaced.
 *
 * input    bytes [shape[0]]..[shape[5]], the last dimension in bytes
 * update   bytes [update_shape[0]]..[update_shape[5]]
 * starts   int32 [rank], where the part starts along the last `rank` dimensions
 * output   bytes [shape[0]]..[shape[5]]
 *
 * A start is moved so that the part lies inside: nothing outside the output is written, whatever
 * the starts are. The last dimension's start counts elements of element_bytes.
 *
 * Ranges  1 <= update_shape <= shape; 1 <= rank <= 6.
 *
 * Order   The input is copied as a whole; then all starts are read; then runs of the update along
 *         its last dimension are read ascending, each written to its place.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_UPDATE_SLICE_H
#define MCUC_UPDATE_SLICE_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t shape[6];
    int32_t update_shape[6];
    int32_t rank;
    int32_t element_bytes;
    uint32_t size;
} mcuc_update_slice_params;

void mcuc_update_slice(const mcuc_update_slice_params *p, const void *input, const void *update,
                       const int32_t *starts, void *output);

#ifdef __cplusplus
}
#endif

#endif
