/*
 * mcuc_conv_2d_s8__1x1: see mcuc/conv_2d_s8__1x1.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_s8__1x1.h"

#include "mcuc_dot.h"

/* acc[4 i + j] = sum for pixel i, output j of the block whose weights are at w. */
static inline void sum_block(const int8_t *x, const int8_t *w, int32_t n, int32_t lanes,
                             int32_t pixels, int32_t *acc)
{
    for (int32_t i = 0; i < 8; i++) {
        acc[i] = 0;
    }
    if (lanes < 4) {
        for (int32_t i = 0; i < pixels; i++) {
            mcuc_dot_1xn(x + i * n, w, n, lanes, acc + 4 * i);
        }
    } else if (pixels == 2) {
        mcuc_dot_2x4(x, x + n, w, n, acc);
    } else {
        mcuc_dot_1x4(x, w, n, acc);
    }
}

void mcuc_conv_2d_s8__1x1(const mcuc_conv_2d_s8__1x1_params *p, const int8_t *input,
                          int8_t *output)
{
    int32_t acc[8];
    int32_t pixels;

    for (int32_t left = p->pixels; left > 0; left -= pixels) {
        const int8_t *w = p->filter;
        int32_t lanes;
        pixels = left < 2 ? 1 : 2;
        for (int32_t channel = 0; channel < p->out_channels; channel += lanes) {
            lanes = p->out_channels - channel;
            lanes = lanes < 4 ? lanes : 4;
            sum_block(input, w, p->in_channels, lanes, pixels, acc);
            for (int32_t i = 0; i < pixels; i++) {
                mcuc_requantize_lanes(acc + 4 * i, lanes, p->bias + channel,
                                      p->multiplier + channel, p->right_shift + channel,
                                      p->out_zero_point, p->out_min, p->out_max,
                                      output + i * p->out_channels + channel);
            }
            w += lanes * p->in_channels;
        }
        input += pixels * p->in_channels;
        output += pixels * p->out_channels;
    }
}
