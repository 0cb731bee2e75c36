/*
 * mcuc_embedding_lookup_s8_f32: rows of an int8 table that indices choose, as real values.
 *
 * table    input: int8 [rows][depth]
 * indices  input: int32 [count]
 * output   float [count][depth] = scale * table
 *
 * An index below 0 chooses the first row, one beyond the last the last: nothing outside the table
 * is read, whatever the indices are.
 *
 * Ranges  1 <= rows, count, depth; 0 < scale, finite.
 *
 * Order   Rows of the output in order: for each, its index is read, then the row is read and
 *         written, element after element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_EMBEDDING_LOOKUP_S8_F32_H
#define MCUC_EMBEDDING_LOOKUP_S8_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t rows;
    int32_t count;
    int32_t depth;
    float scale;
} mcuc_embedding_lookup_s8_f32_params;

void mcuc_embedding_lookup_s8_f32(const mcuc_embedding_lookup_s8_f32_params *p, const int8_t *table,
                                  const int32_t *indices, float *output);

#ifdef __cplusplus
}
#endif

#endif
