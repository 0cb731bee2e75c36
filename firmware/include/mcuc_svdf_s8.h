/*
 * mcuc_svdf_s8.h: SVDF of int8. A kernel defines what mcuc_svdf.h asks for but the functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SVDF_S8_SKELETON_H
#define MCUC_SVDF_S8_SKELETON_H

#include "mcuc_math.h"

typedef int8_t mcuc_svdf_value;
typedef uint32_t mcuc_svdf_sum;

/* Clamped to the type of the state, then moved by its zero point, which wraps. */
static inline mcuc_svdf_memory mcuc_svdf_feature(const MCUC_SVDF_PARAMS *p, const int8_t *weights,
                                                 const int8_t *input)
{
    uint32_t sum = 0;

    for (int32_t i = 0; i < p->inputs; i++) {
        sum += (uint32_t)(weights[i] * (input[i] - p->in_zero_point));
    }
    int32_t feature = mcuc_scale(sum, p->state_multiplier, p->state_right_shift, 0);
    feature = mcuc_clamp(feature, MCUC_SVDF_MEMORY_MIN, MCUC_SVDF_MEMORY_MAX);
    return (mcuc_svdf_memory)(feature + p->state_zero_point);
}

static inline uint32_t mcuc_svdf_over_time(const MCUC_SVDF_PARAMS *p,
                                           const mcuc_svdf_memory *weights,
                                           const mcuc_svdf_memory *history)
{
    uint32_t sum = 0;

    for (int32_t i = 0; i < p->memory; i++) {
        sum += (uint32_t)weights[i] * (uint32_t)(history[i] - p->state_zero_point);
    }
    return sum;
}

static inline int8_t mcuc_svdf_result(const MCUC_SVDF_PARAMS *p, uint32_t sum)
{
    return mcuc_requantize(sum, p->multiplier, p->right_shift, p->out_zero_point, INT8_MIN,
                           INT8_MAX);
}

#include "mcuc_svdf.h"

#endif
