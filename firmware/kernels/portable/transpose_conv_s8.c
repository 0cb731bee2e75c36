/*
 * mcuc_transpose_conv_s8: see mcuc/transpose_conv_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/transpose_conv_s8.h"

#include "mcuc_math.h"

#define MCUC_CONV_PARAMS mcuc_transpose_conv_s8_params
typedef int8_t mcuc_conv_value;
typedef int8_t mcuc_conv_weight;
typedef uint32_t mcuc_conv_sum;

static inline uint32_t mcuc_conv_product(const MCUC_CONV_PARAMS *p, int8_t x, int8_t w)
{
    return (uint32_t)((x - p->in_zero_point) * w);
}

static inline int8_t mcuc_conv_finish(const MCUC_CONV_PARAMS *p, uint32_t sum, int32_t channel)
{
    return mcuc_requantize(sum + (uint32_t)p->bias[channel], p->multiplier[channel],
                           p->right_shift[channel], p->out_zero_point, p->out_min, p->out_max);
}

#include "mcuc_transpose_conv.h"

void mcuc_transpose_conv_s8(const mcuc_transpose_conv_s8_params *p, const int8_t *input,
                            int8_t *output)
{
    mcuc_conv_run(p, input, output);
}
