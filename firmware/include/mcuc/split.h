/*
 * mcuc_split: parts of a tensor along one dimension.
 *
 * input    bytes [rows][sum of run_bytes]
 * outputs  `count` tensors of any type; output i is [rows][run_bytes[i]]
 *
 * Ranges  1 <= rows, count, run_bytes.
 *
 * Order   The input is read ascending, each byte once: row after row and in a row output after
 *         output. Each output is written ascending, run after run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SPLIT_H
#define MCUC_SPLIT_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint32_t *run_bytes;
    int32_t rows;
    int32_t count;
} mcuc_split_params;

void mcuc_split(const mcuc_split_params *p, const void *input, void *const *outputs);

#ifdef __cplusplus
}
#endif

#endif
