/*
 * mcuc_table_scatter: runs of bytes to places that tables name, zeros elsewhere.
 *
 * input   runs of run_bytes, [shape[0]]..[shape[5]]
 * output  out_bytes bytes
 *
 * The run at an input's coordinates goes to the output at the sum of an entry a dimension:
 * `offsets` holds shape[0] entries for the first dimension, then shape[1] for the second, and so
 * on.
 *
 * Ranges  1 <= run_bytes, shape; all runs lie inside the output.
 *
 * Order   All of the output is set to 0 first. Then runs of the input in raster order: each is
 *         read, then written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_TABLE_SCATTER_H
#define MCUC_TABLE_SCATTER_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int32_t *offsets;
    uint32_t run_bytes;
    uint32_t out_bytes;
    int32_t shape[6];
} mcuc_table_scatter_params;

void mcuc_table_scatter(const mcuc_table_scatter_params *p, const void *input, void *output);

#ifdef __cplusplus
}
#endif

#endif
