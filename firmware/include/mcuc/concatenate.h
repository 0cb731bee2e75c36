/*
 * mcuc_concatenate: tensors behind each other along one dimension.
 *
 * inputs  `count` tensors of any type; input i is [rows][run_bytes[i]]
 * output  bytes [rows][sum of run_bytes]
 *
 * Ranges  1 <= rows, count, run_bytes.
 *
 * Order   The output is written ascending, row after row and in a row input after input. Each
 *         input is read ascending, run after run, each byte once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CONCATENATE_H
#define MCUC_CONCATENATE_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint32_t *run_bytes;
    int32_t rows;
    int32_t count;
} mcuc_concatenate_params;

void mcuc_concatenate(const mcuc_concatenate_params *p, const void *const *inputs, void *output);

#ifdef __cplusplus
}
#endif

#endif
