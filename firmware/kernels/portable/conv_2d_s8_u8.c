/*
 * mcuc_conv_2d_s8_u8: see mcuc/conv_2d_s8_u8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_s8_u8.h"

#include "mcuc_math.h"

#define MCUC_CONV_PARAMS mcuc_conv_2d_s8_u8_params
typedef int8_t mcuc_conv_value;
typedef uint8_t mcuc_conv_weight;
typedef uint32_t mcuc_conv_sum;

static inline uint32_t mcuc_conv_product(const MCUC_CONV_PARAMS *p, int8_t x, uint8_t w)
{
    return (uint32_t)((x - p->in_zero_point) * (w - p->filter_zero_point));
}

static inline int8_t mcuc_conv_finish(const MCUC_CONV_PARAMS *p, uint32_t sum, int32_t channel)
{
    return mcuc_requantize(sum + (uint32_t)p->bias[channel], p->multiplier[channel],
                           p->right_shift[channel], p->out_zero_point, p->out_min, p->out_max);
}

#include "mcuc_plain_conv.h"

void mcuc_conv_2d_s8_u8(const mcuc_conv_2d_s8_u8_params *p, const int8_t *input, int8_t *output)
{
    mcuc_conv_run(p, input, output);
}
