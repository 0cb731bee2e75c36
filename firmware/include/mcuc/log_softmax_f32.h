/*
 * mcuc_log_softmax_f32: the logarithm of softmax, along the last dimension.
 *
 * input, output  float [rows][depth]
 *
 * Ranges  1 <= rows, depth.
 *
 * Order   Row after row: all values of the row are read three times; in the third pass, ascending,
 *         each is read and then its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_LOG_SOFTMAX_F32_H
#define MCUC_LOG_SOFTMAX_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t rows;
    int32_t depth;
} mcuc_log_softmax_f32_params;

void mcuc_log_softmax_f32(const mcuc_log_softmax_f32_params *p, const float *input, float *output);

#ifdef __cplusplus
}
#endif

#endif
