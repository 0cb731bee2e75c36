/*
 * mcuc_gather: runs of bytes that indices choose.
 *
 * input    bytes [batches][outer][axis_size][run_bytes]
 * indices  int32 [batches][count]
 * output   bytes [batches][outer][count][run_bytes]
 *
 * An index below 0 chooses the first run, one beyond the last the last: nothing outside the input
 * is read, whatever the indices are.
 *
 * Ranges  1 <= batches, outer, axis_size, count, run_bytes.
 *
 * Order   Runs of the output in raster order: for each, its index is read, then its run, then it
 *         is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_GATHER_H
#define MCUC_GATHER_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t batches;
    int32_t outer;
    int32_t axis_size;
    int32_t count;
    uint32_t run_bytes;
} mcuc_gather_params;

void mcuc_gather(const mcuc_gather_params *p, const void *input, const int32_t *indices,
                 void *output);

#ifdef __cplusplus
}
#endif

#endif
