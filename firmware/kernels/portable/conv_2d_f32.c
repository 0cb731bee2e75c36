/*
 * mcuc_conv_2d_f32: see mcuc/conv_2d_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_f32.h"

#include "mcuc_float.h"

#define MCUC_CONV_PARAMS mcuc_conv_2d_f32_params
typedef float mcuc_conv_value;
typedef float mcuc_conv_weight;
typedef float mcuc_conv_sum;

static inline float mcuc_conv_product(const MCUC_CONV_PARAMS *p, float x, float w)
{
    (void)p;
    return x * w;
}

static inline float mcuc_conv_finish(const MCUC_CONV_PARAMS *p, float sum, int32_t channel)
{
    return mcuc_clamp_f32(sum + p->bias[channel], p->out_min, p->out_max);
}

#include "mcuc_plain_conv.h"

void mcuc_conv_2d_f32(const mcuc_conv_2d_f32_params *p, const float *input, float *output)
{
    mcuc_conv_run(p, input, output);
}
