/*
 * mcuc_table_copy: runs of bytes from places that tables name.
 *
 * input   bytes
 * output  runs of run_bytes, [shape[0]]..[shape[5]]
 *
 * The run at an output's coordinates starts in the input at the sum of an entry a dimension:
 * `offsets` holds shape[0] entries for the first dimension, then shape[1] for the second, and so
 * on.
 *
 * Ranges  1 <= run_bytes, shape; all runs lie inside the input.
 *
 * Order   Runs of the output in raster order: for each, its bytes are read, then they are written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_TABLE_COPY_H
#define MCUC_TABLE_COPY_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int32_t *offsets;
    uint32_t run_bytes;
    int32_t shape[6];
} mcuc_table_copy_params;

void mcuc_table_copy(const mcuc_table_copy_params *p, const void *input, void *output);

#ifdef __cplusplus
}
#endif

#endif
