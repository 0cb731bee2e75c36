/*
 * mcuc_l2_normalization_f32: rows divided by their lengths.
 *
 * input, output  float [rows][depth]
 *
 * A length below 1e-6 counts as that.
 *
 * Ranges  1 <= rows, depth.
 *
 * Order   Row after row: all values of the row are read; then, ascending, each is read again and
 *         its result is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_L2_NORMALIZATION_F32_H
#define MCUC_L2_NORMALIZATION_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t rows;
    int32_t depth;
} mcuc_l2_normalization_f32_params;

void mcuc_l2_normalization_f32(const mcuc_l2_normalization_f32_params *p, const float *input,
                               float *output);

#ifdef __cplusplus
}
#endif

#endif
