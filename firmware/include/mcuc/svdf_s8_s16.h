/*
 * mcuc_svdf_s8_s16: a dense layer over time, its state int16.
 *
 * input            int8 [batches][inputs]
 * output           int8 [batches][units]
 * state            int16 [batches][units * rank][memory], the newest value last
 *
 * feature_weights  int8 [units * rank][inputs]
 * time_weights     int16 [units * rank][memory]
 * bias             int32 [units]
 *
 * Each filter keeps a history: the newest value is the input times its feature weights, scaled by
 * state_multiplier * 2^-(31 + state_right_shift) and clamped to int16, plus state_zero_point, which
 * wraps. An output is its bias and the histories of its rank filters times their time weights, scaled.
 *
 * Ranges  1 <= batches, inputs, units, rank, memory; -30 <= right shifts <= 31.
 *
 * Order   For each batch, for each unit: the histories of its filters are changed and read, the whole
 *         input of the batch is read, then the output is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SVDF_S8_S16_H
#define MCUC_SVDF_S8_S16_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int8_t *feature_weights;
    const int16_t *time_weights;
    const int32_t *bias;
    int32_t batches;
    int32_t inputs;
    int32_t units;
    int32_t rank;
    int32_t memory;
    int32_t state_multiplier;
    int32_t state_right_shift;
    int32_t multiplier;
    int32_t right_shift;
    int32_t in_zero_point;
    int32_t state_zero_point;
    int32_t out_zero_point;
} mcuc_svdf_s8_s16_params;

void mcuc_svdf_s8_s16(const mcuc_svdf_s8_s16_params *p, const int8_t *input, int8_t *output,
                      int16_t *state);

#ifdef __cplusplus
}
#endif

#endif
