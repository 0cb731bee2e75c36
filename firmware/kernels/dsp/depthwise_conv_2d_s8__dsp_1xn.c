/*
 * mcuc_depthwise_conv_2d_s8__dsp_1xn: see mcuc/depthwise_conv_2d_s8__dsp_1xn.h.
 *
 * Four outputs of a channel at a time: pairs of weights (0, 1), (2, 3), .. give those at even
 * pixels, and (-, 0), (1, 2), .. give those at odd ones, from the same pairs of pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/depthwise_conv_2d_s8__dsp_1xn.h"

#include "mcuc_dsp_planes.h"

typedef mcuc_depthwise_conv_2d_s8__dsp_1xn_params params;

enum { LANES = MCUC_LANES, SCALING_WORDS = 3, OUTPUTS = 4 };

/* Weights as pairs of int16, doubled: for even pixels, then for odd ones, `words` times. */
static void widen_filter(const int8_t *filter, int32_t taps, int32_t words, uint32_t *to)
{
    int32_t before = 0;
    for (int32_t i = 0; i < 2 * words; i += 2, to += 2) {
        int32_t first = i < taps ? filter[i] * 2 : 0;
        int32_t second = i + 1 < taps ? filter[i + 1] * 2 : 0;
        to[0] = mcuc_pack_low((uint32_t)first, (uint32_t)second);
        to[1] = mcuc_pack_low((uint32_t)before, (uint32_t)first);
        before = second;
    }
}

/* Four channels of a row as pairs of pixels, zero points outside; `words` of each. */
static void split_row(const params *p, const int8_t *row, int32_t words, uint32_t *to)
{
    const int32_t channels = p->channels;
    const int8_t z = p->in_zero_point;
    const int8_t outside[LANES] = {z, z, z, z};
    int32_t x = -(int32_t)p->pad_left;

    for (; words > 0 && x < 0; x += 2, words--) {
        to = mcuc_split_pairs(outside, x + 1 < 0 ? outside : row, 0, to, 1, 1);
    }
    int32_t inside = (p->in_width - x) / 2;
    inside = inside < words ? inside : words;
    if (inside > 0) {
        const int8_t *from = row + x * channels;
        to = mcuc_split_pairs(from, from + channels, 2 * channels, to, 1, inside);
        x += 2 * inside;
        words -= inside;
    }
    for (; words > 0; x += 2, words--) {
        const int8_t *left = x < p->in_width ? row + x * channels : outside;
        to = mcuc_split_pairs(left, outside, 0, to, 1, 1);
    }
}

/* One channel of a row: `pairs` and `filter` as above. */
static void convolve_row(const params *p, const int32_t *scaling, const uint32_t *pairs,
                         const uint32_t *filter, int32_t words, int8_t *output)
{
    const int32_t channels = p->channels;
    const int32_t multiplier = scaling[1];
    const int32_t shift = scaling[2];
    const int32_t constant = (2 * p->out_zero_point + 1) * (1 << (shift - 1));

    for (int32_t left = p->out_width; left > 0; left -= OUTPUTS) {
        const uint32_t *at = pairs;
        const uint32_t *weights = filter;
        const uint32_t *weights_end = filter + 2 * words;
        int32_t sum0 = scaling[0];
        int32_t sum1 = sum0;
        int32_t sum2 = sum0;
        int32_t sum3 = sum0;
        uint32_t pair = *at;
        do {
            uint32_t even = *weights++;
            uint32_t odd = *weights++;
            at += LANES;
            sum0 = mcuc_multiply_pairs(pair, even, sum0);
            sum1 = mcuc_multiply_pairs(pair, odd, sum1);
            pair = *at;
            sum2 = mcuc_multiply_pairs(pair, even, sum2);
            sum3 = mcuc_multiply_pairs(pair, odd, sum3);
        } while (weights < weights_end);
        *output = mcuc_requantize_doubled(sum0, multiplier, constant, shift);
        if (left > 1) {
            output[channels] = mcuc_requantize_doubled(sum1, multiplier, constant, shift);
        }
        if (left > 2) {
            output[2 * channels] = mcuc_requantize_doubled(sum2, multiplier, constant, shift);
        }
        if (left > 3) {
            output[3 * channels] = mcuc_requantize_doubled(sum3, multiplier, constant, shift);
        }
        output += OUTPUTS * channels;
        pairs += 2 * LANES;
    }
}

void mcuc_depthwise_conv_2d_s8__dsp_1xn(const mcuc_depthwise_conv_2d_s8__dsp_1xn_params *p,
                                        const int8_t *input, int8_t *output, void *scratch)
{
    const int32_t filter_words = p->taps / 2 + 1;
    const int32_t words = (p->out_width + 3) / 4 * 2 + filter_words - 1;
    uint32_t *pairs = (uint32_t *)scratch;
    uint32_t *filter = pairs + LANES * words;

    for (int32_t row = 0; row < p->rows; row++) {
        for (int32_t channel = 0; channel < p->channels; channel++) {
            int32_t lane = channel % LANES;
            if (lane == 0) {
                split_row(p, input + channel, words, pairs);
            }
            widen_filter(p->filter + channel * p->taps, p->taps, filter_words, filter);
            convolve_row(p, p->scaling + channel * SCALING_WORDS, pairs + lane, filter,
                         filter_words, output + channel);
        }
        input += p->in_width * p->channels;
        output += p->out_width * p->channels;
    }
}
