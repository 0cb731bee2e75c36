/*
 * mcuc_one_hot: one value where an index says, another elsewhere.
 *
 * indices  input: int32 [outer][inner], or int64 where index_words is 2
 * on, off  inputs: one element of element_bytes
 * output   [outer][depth][inner], elements of element_bytes: on where the index of the outer and
 *          inner place is the place along depth
 *
 * Ranges  1 <= outer, depth, inner, element_bytes; index_words is 1 or 2.
 *
 * Order   Output elements ascending: the index is read, then on or off, then it is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ONE_HOT_H
#define MCUC_ONE_HOT_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t outer;
    uint32_t depth;
    uint32_t inner;
    uint32_t element_bytes;
    uint32_t index_words;
} mcuc_one_hot_params;

void mcuc_one_hot(const mcuc_one_hot_params *p, const void *indices, const void *on,
                  const void *off, void *output);

#ifdef __cplusplus
}
#endif

#endif
