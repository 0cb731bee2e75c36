/*
 * mcuc_svdf_f32: see mcuc/svdf_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/svdf_f32.h"

#include "mcuc_float.h"

#define MCUC_SVDF_PARAMS mcuc_svdf_f32_params
typedef float mcuc_svdf_value;
typedef float mcuc_svdf_memory;
typedef float mcuc_svdf_sum;

static inline float dot(const float *a, const float *b, int32_t size)
{
    float sum = 0.0f;

    for (int32_t i = 0; i < size; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static inline float mcuc_svdf_feature(const MCUC_SVDF_PARAMS *p, const float *weights,
                                      const float *input)
{
    return dot(weights, input, p->inputs);
}

static inline float mcuc_svdf_over_time(const MCUC_SVDF_PARAMS *p, const float *weights,
                                        const float *history)
{
    return dot(weights, history, p->memory);
}

static inline float mcuc_svdf_result(const MCUC_SVDF_PARAMS *p, float sum)
{
    return mcuc_clamp_f32(sum, p->out_min, p->out_max);
}

#include "mcuc_svdf.h"

void mcuc_svdf_f32(const mcuc_svdf_f32_params *p, const float *input, float *output, float *state)
{
    mcuc_svdf_run(p, input, output, state);
}
