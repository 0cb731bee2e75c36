/*
 * mcuc_depthwise_conv_2d_s8__dsp_3x3_short_rows: see
 * mcuc/depthwise_conv_2d_s8__dsp_3x3_short_rows.h.
 *
 * Four channels of a pixel are one word, and so are their weights: widened, channels 0 and 2 are in
 * one register, 1 and 3 in another. Nothing is moved beforehand, which pays where rows are short.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/depthwise_conv_2d_s8__dsp_3x3_short_rows.h"

#include "mcuc_dsp.h"
#include "mcuc_math.h"

typedef mcuc_depthwise_conv_2d_s8__dsp_3x3_short_rows_params params;

enum { LANES = 4, TAPS = 3, SCALING_WORDS = 4 };

typedef struct {
    int32_t lane[LANES];
} sums;

/* sum + the low (high) halves' product */
static inline int32_t multiply_low(uint32_t a, uint32_t b, int32_t sum)
{
    __asm__("smlabb %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
}

static inline int32_t multiply_high(uint32_t a, uint32_t b, int32_t sum)
{
    __asm__("smlatt %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
}

/* Adds the products of a pixel with its weights. */
static inline void add(sums *s, uint32_t pixel, const int8_t *weights)
{
    uint32_t w = mcuc_load4(weights);
    uint32_t w_even = mcuc_widen_even(w);
    uint32_t even = mcuc_widen_even(pixel);
    s->lane[0] = multiply_low(even, w_even, s->lane[0]);
    s->lane[2] = multiply_high(even, w_even, s->lane[2]);
    uint32_t w_odd = mcuc_widen_odd(w);
    uint32_t odd = mcuc_widen_odd(pixel);
    s->lane[1] = multiply_low(odd, w_odd, s->lane[1]);
    s->lane[3] = multiply_high(odd, w_odd, s->lane[3]);
}

/* The output of a sum; its sign does not matter where the output is clamped at the zero point. */
static inline uint32_t requantize(int32_t sum, const int32_t *scaling)
{
    int32_t doubled = 2 * sum + scaling[0];
    int32_t result;
    __asm__("smmlar %0, %1, %2, %3"
            : "=r"(result)
            : "r"(doubled), "r"(scaling[1]), "r"(scaling[2]));
    result >>= scaling[3];
    __asm__("ssat %0, #8, %0" : "+r"(result));
    return (uint8_t)result;
}

static inline void put(int8_t *to, uint32_t word)
{
    (void)memcpy(to, &word, sizeof word);
}

/* Four channels of the row, which start at the pointers. */
static MCUC_NOINLINE void convolve_lanes(const params *p, const int8_t *const *rows,
                                         const int8_t *filter, const int32_t *scaling,
                                         int8_t *output)
{
    const uint32_t outside = (uint8_t)p->in_zero_point * 0x01010101u;
    const int8_t *const row0 = rows[0];
    const int8_t *const row1 = rows[1];
    const int8_t *const row2 = rows[2];
    int32_t channels = p->channels;
    int32_t row_bytes = p->in_width * channels;
    int32_t step = p->stride * channels;
    int32_t start = -(int32_t)p->pad_left * channels;
    uint32_t waiting = 0;

    for (int32_t left = p->out_width; left > 0; left--, start += step) {
        sums s = {{0, 0, 0, 0}};
        const int8_t *w = filter;
        int32_t at = start;
#pragma GCC unroll 1
        for (int32_t column = 0; column < TAPS; column++, at += channels, w += TAPS * LANES) {
            if ((uint32_t)at < (uint32_t)row_bytes) {
                add(&s, mcuc_load4(row0 + at), w);
                add(&s, mcuc_load4(row1 + at), w + LANES);
                add(&s, mcuc_load4(row2 + at), w + 2 * LANES);
            } else {
                add(&s, outside, w);
                add(&s, outside, w + LANES);
                add(&s, outside, w + 2 * LANES);
            }
        }
        if (left != p->out_width) {
            put(output, waiting);
            output += channels;
        }
        waiting = requantize(s.lane[0], scaling);
        waiting |= requantize(s.lane[1], scaling + SCALING_WORDS) << 8;
        waiting |= requantize(s.lane[2], scaling + 2 * SCALING_WORDS) << 16;
        waiting |= requantize(s.lane[3], scaling + 3 * SCALING_WORDS) << 24;
    }
    put(output, waiting);
}

void mcuc_depthwise_conv_2d_s8__dsp_3x3_short_rows(
    const mcuc_depthwise_conv_2d_s8__dsp_3x3_short_rows_params *p, const void *const *rows,
    void *output)
{
    const int8_t *filter = p->filter;
    const int32_t *scaling = p->scaling;

    for (int32_t first = 0; first < p->channels; first += LANES) {
        const int8_t *const from[TAPS] = {
            (const int8_t *)rows[0] + first,
            (const int8_t *)rows[1] + first,
            (const int8_t *)rows[2] + first,
        };
        convolve_lanes(p, from, filter, scaling, (int8_t *)output + first);
        filter += TAPS * TAPS * LANES;
        scaling += LANES * SCALING_WORDS;
    }
}
