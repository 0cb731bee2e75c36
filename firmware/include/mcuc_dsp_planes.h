/*
 * mcuc_dsp_planes.h: channels that lie side by side in an image, apart from each other.
 *
 * Multiply-accumulates of the DSP extension take pairs of neighbouring pixels of one channel, and
 * four channels of a pixel are one word: pairs of such words become a word for each channel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DSP_PLANES_H
#define MCUC_DSP_PLANES_H

#include "mcuc_dsp.h"
#include "mcuc_math.h"

enum { MCUC_LANES = 4 };

/*
 * Pairs of pixels, four channels each: that of channel k goes to to[k * rows], the next pair
 * 4 * rows words further. Returns where the next one would go.
 */
static MCUC_NOINLINE uint32_t *mcuc_split_pairs(const int8_t *left, const int8_t *right,
                                                int32_t step, uint32_t *to, int32_t rows,
                                                int32_t pairs)
{
    do {
        uint32_t left4 = mcuc_load4(left);
        uint32_t right4 = mcuc_load4(right);
        uint32_t left_even = mcuc_widen_even(left4);
        uint32_t right_even = mcuc_widen_even(right4);
        uint32_t left_odd = mcuc_widen_odd(left4);
        uint32_t right_odd = mcuc_widen_odd(right4);
        to[0] = mcuc_pack_low(left_even, right_even);
        to[rows] = mcuc_pack_low(left_odd, right_odd);
        to[2 * rows] = mcuc_pack_high(left_even, right_even);
        to[3 * rows] = mcuc_pack_high(left_odd, right_odd);
        left += step;
        right += step;
        to += MCUC_LANES * rows;
    } while (--pairs > 0);
    return to;
}

#endif
