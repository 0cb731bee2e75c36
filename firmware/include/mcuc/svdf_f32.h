/*
 * mcuc_svdf_f32: a dense layer over time, of float32.
 *
 * input            float32 [batches][inputs]
 * output           float32 [batches][units], clamped
 * state            float32 [batches][units * rank][memory], the newest value last
 *
 * feature_weights  float32 [units * rank][inputs]
 * time_weights     float32 [units * rank][memory]
 * bias             float32 [units]
 *
 * As mcuc_svdf_s8, without scales.
 *
 * Ranges  1 <= batches, inputs, units, rank, memory.
 *
 * Order   As mcuc_svdf_s8.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SVDF_F32_H
#define MCUC_SVDF_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const float *feature_weights;
    const float *time_weights;
    const float *bias;
    int32_t batches;
    int32_t inputs;
    int32_t units;
    int32_t rank;
    int32_t memory;
    float out_min;
    float out_max;
} mcuc_svdf_f32_params;

void mcuc_svdf_f32(const mcuc_svdf_f32_params *p, const float *input, float *output, float *state);

#ifdef __cplusplus
}
#endif

#endif
