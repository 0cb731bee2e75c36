/*
 * mcuc_channels.h: from the sums of neighbouring channels to int8, each with a scale of its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CHANNELS_H
#define MCUC_CHANNELS_H

#include "mcuc_math.h"

/* An entry a channel in each array, and what all channels share. */
typedef struct {
    const int32_t *bias;
    const int32_t *multiplier;
    const int8_t *right_shift;
    int32_t zero_point;
    int32_t min;
    int32_t max;
} mcuc_channels;

/* The sums of a block of at most four channels, for one pixel or two. */
typedef struct {
    int32_t first[4];
    int32_t second[4];
} mcuc_sums;

/*
 * Adds the bias to the sums of `lanes` channels from `channel` on, requantises and writes them:
 * those of the first pixel to output[channel..], those of the second, if there is one, `step`
 * bytes further, channel by channel.
 */
MCUC_SHARED void mcuc_requantize_block(const mcuc_channels *c, const mcuc_sums *sums,
                                       int32_t channel, int32_t lanes, int32_t pixels, int32_t step,
                                       int8_t *output);

MCUC_SHARED void mcuc_requantize_block(const mcuc_channels *c, const mcuc_sums *sums,
                                       int32_t channel, int32_t lanes, int32_t pixels, int32_t step,
                                       int8_t *output)
{
    const int32_t *bias = c->bias + channel;
    const int32_t *multiplier = c->multiplier + channel;
    const int8_t *right_shift = c->right_shift + channel;
    int32_t zero_point = c->zero_point;
    int32_t min = c->min;
    int32_t max = c->max;

    output += channel;
    for (int32_t i = 0; i < lanes; i++) {
        uint32_t b = (uint32_t)bias[i];
        int32_t m = multiplier[i];
        int32_t n = right_shift[i];
        output[i] = mcuc_requantize((uint32_t)sums->first[i] + b, m, n, zero_point, min, max);
        if (MCUC_LIKELY(pixels == 2)) {
            output[step + i] =
                mcuc_requantize((uint32_t)sums->second[i] + b, m, n, zero_point, min, max);
        }
    }
}

#endif
