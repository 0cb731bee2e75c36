/*
 * mcuc_gather_nd: runs of bytes that vectors of indices choose.
 *
 * input    bytes, dimensions of sizes[0]..sizes[depth - 1] runs; steps between neighbours along
 *          each are `strides` bytes
 * indices  int32 [count][depth]
 * output   bytes [count][run_bytes]
 *
 * An index below 0 counts as 0, one beyond its dimension as the last: nothing outside the input is
 * read, whatever the indices are.
 *
 * Ranges  1 <= count, depth <= 6, run_bytes; sizes and strides of further dimensions are not used.
 *
 * Order   Runs of the output in order: for each, its indices are read, then its run, then it is
 *         written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_GATHER_ND_H
#define MCUC_GATHER_ND_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t count;
    int32_t depth;
    uint32_t run_bytes;
    int32_t sizes[6];
    int32_t strides[6];
} mcuc_gather_nd_params;

void mcuc_gather_nd(const mcuc_gather_nd_params *p, const void *input, const int32_t *indices,
                    void *output);

#ifdef __cplusplus
}
#endif

#endif
