/*
 * conv_2d_s8__1x1.c: a convolution of a single tap is a matrix product, from either end.
 *
 * Both forms are in one file, so that an image which has both has their inner loops once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_s8__1x1.h"

#include "mcuc/conv_2d_s8__1x1_backward.h"
#include "mcuc_dot.h"

/* One pixel or two, all channels. */
static inline void convolve(const mcuc_conv_2d_s8__1x1_params *p, const mcuc_channels *channels,
                            int32_t pixels, const int8_t *input, int8_t *output)
{
    static const int32_t start[4];
    const mcuc_runs runs = {1, 1, p->in_channels, 0, 0, 0};
    const int8_t *w = p->filter;
    int32_t lanes;

    for (int32_t channel = 0; channel < p->out_channels; channel += lanes) {
        mcuc_sums sums;
        lanes = p->out_channels - channel < 4 ? p->out_channels - channel : 4;
        mcuc_dot_block(&runs, input, p->in_channels, pixels, w, lanes, start, &sums);
        mcuc_requantize_block(channels, &sums, channel, lanes, pixels, p->out_channels, output);
        w += lanes * p->in_channels;
    }
}

void mcuc_conv_2d_s8__1x1(const mcuc_conv_2d_s8__1x1_params *p, const int8_t *input, int8_t *output)
{
    const mcuc_channels channels = {
        p->bias, p->multiplier, p->right_shift, p->out_zero_point, p->out_min, p->out_max,
    };
    int32_t pixels;

    for (int32_t left = p->pixels; left > 0; left -= pixels) {
        pixels = left < 2 ? 1 : 2;
        convolve(p, &channels, pixels, input, output);
        input += pixels * p->in_channels;
        output += pixels * p->out_channels;
    }
}

void mcuc_conv_2d_s8__1x1_backward(const mcuc_conv_2d_s8__1x1_backward_params *p,
                                   const int8_t *input, int8_t *output)
{
    const mcuc_channels channels = {
        p->bias, p->multiplier, p->right_shift, p->out_zero_point, p->out_min, p->out_max,
    };
    int32_t pixels;

    input += p->pixels * p->in_channels;
    output += p->pixels * p->out_channels;
    for (int32_t left = p->pixels; left > 0; left -= pixels) {
        pixels = left < 2 ? 1 : 2;
        input -= pixels * p->in_channels;
        output -= pixels * p->out_channels;
        convolve(p, &channels, pixels, input, output);
    }
}
