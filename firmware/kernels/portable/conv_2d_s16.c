/*
 * mcuc_conv_2d_s16: see mcuc/conv_2d_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_s16.h"

#include "mcuc_wide_sums.h"

#define MCUC_CONV_PARAMS mcuc_conv_2d_s16_params
typedef int16_t mcuc_conv_value;
typedef int8_t mcuc_conv_weight;
typedef int64_t mcuc_conv_sum;

static inline int32_t mcuc_conv_product(const MCUC_CONV_PARAMS *p, int16_t x, int8_t w)
{
    (void)p;
    return x * w;
}

static inline int16_t mcuc_conv_finish(const MCUC_CONV_PARAMS *p, int64_t sum, int32_t channel)
{
    return mcuc_requantize_s16(sum, p->bias[channel], p->multiplier[channel],
                               p->right_shift[channel], p->is_wide, p->out_min, p->out_max);
}

#include "mcuc_plain_conv.h"

void mcuc_conv_2d_s16(const mcuc_conv_2d_s16_params *p, const int16_t *input, int16_t *output)
{
    mcuc_conv_run(p, input, output);
}
