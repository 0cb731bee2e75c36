/*
 * mcuc_depthwise_conv_2d_s8__dsp_3x3_rows: see mcuc/depthwise_conv_2d_s8__dsp_3x3_rows.h.
 *
 * In the scratch the words of the three rows are side by side, for each of four channels; then
 * those of the next two pixels. A word meets the weights (0, 1) as the left pixels of a window and
 * (1, 2) as the right ones.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/depthwise_conv_2d_s8__dsp_3x3_rows.h"

#include "mcuc_dsp_planes.h"

typedef mcuc_depthwise_conv_2d_s8__dsp_3x3_rows_params params;

enum { LANES = MCUC_LANES, ROWS = 3, CHANNEL_WORDS = 5, NEXT = LANES * ROWS };

/* sum + low half of a * high half of b */
static inline int32_t multiply_low_high(uint32_t a, uint32_t b, int32_t sum)
{
    __asm__("smlabt %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
}

/* sum + high half of a * low half of b */
static inline int32_t multiply_high_low(uint32_t a, uint32_t b, int32_t sum)
{
    __asm__("smlatb %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
}

/* The output of a sum, whose sign does not matter where the output is clamped at the zero point. */
static inline int8_t requantize(int32_t doubled, int32_t multiplier, int32_t constant,
                                int32_t shift)
{
    int32_t result;
    __asm__("smmlar %0, %1, %2, %3" : "=r"(result) : "r"(doubled), "r"(multiplier), "r"(constant));
    result >>= shift;
    __asm__("ssat %0, #8, %0" : "+r"(result));
    return (int8_t)result;
}

/* A channel's filter: of each row (0, 1) and (1, 2), doubled; and its scaling. */
typedef struct {
    uint32_t left[ROWS];
    uint32_t right[ROWS];
    int32_t start;
    int32_t multiplier;
    int32_t constant;
    int32_t shift;
} filter;

static inline filter unpacked(const uint32_t *channel)
{
    filter f;
    f.start = (int32_t)channel[0];
    f.multiplier = (int32_t)channel[1];
    f.shift = (int32_t)(channel[2] >> 24);
    f.constant = -255 * (1 << (f.shift - 1));
#pragma GCC unroll 3
    for (int32_t row = 0; row < ROWS; row++) {
        uint32_t even = mcuc_widen_even(channel[2 + row]) << 1; /* weights 0 and 2 */
        uint32_t odd = mcuc_widen_odd(channel[2 + row]) << 1;   /* 1 and what is behind it */
        even &= 0xFFFEFFFEu;
        odd &= 0xFFFEFFFEu;
        f.left[row] = mcuc_pack_low(even, odd);
        f.right[row] = (odd & 0xFFFFu) | (even & 0xFFFF0000u);
    }
    return f;
}

/* Two outputs at a time, side by side. */
static MCUC_NOINLINE void convolve_stride_1(const uint32_t *channel, const uint32_t *words,
                                            int32_t width, int32_t step, int8_t *output)
{
    const filter f = unpacked(channel);
    uint32_t a0 = words[0];
    uint32_t a1 = words[1];
    uint32_t a2 = words[2];

    for (int32_t left = width; left > 0; left -= 2) {
        int32_t first = mcuc_multiply_pairs(a0, f.left[0], f.start);
        int32_t second = multiply_high_low(a0, f.left[0], f.start);
        first = mcuc_multiply_pairs(a1, f.left[1], first);
        second = multiply_high_low(a1, f.left[1], second);
        first = mcuc_multiply_pairs(a2, f.left[2], first);
        second = multiply_high_low(a2, f.left[2], second);
        words += NEXT;
        a0 = words[0];
        a1 = words[1];
        a2 = words[2];
        first = multiply_low_high(a0, f.right[0], first);
        second = mcuc_multiply_pairs(a0, f.right[0], second);
        first = multiply_low_high(a1, f.right[1], first);
        second = mcuc_multiply_pairs(a1, f.right[1], second);
        first = multiply_low_high(a2, f.right[2], first);
        second = mcuc_multiply_pairs(a2, f.right[2], second);
        *output = requantize(first, f.multiplier, f.constant, f.shift);
        if (left > 1) {
            output[step] = requantize(second, f.multiplier, f.constant, f.shift);
        }
        output += 2 * step;
    }
}

/* Outputs start at every pair of pixels. */
static MCUC_NOINLINE void convolve_stride_2(const uint32_t *channel, const uint32_t *words,
                                            int32_t width, int32_t step, int8_t *output)
{
    const filter f = unpacked(channel);
    uint32_t a0 = words[0];
    uint32_t a1 = words[1];
    uint32_t a2 = words[2];

    for (int32_t left = width; left > 0; left--) {
        int32_t sum = mcuc_multiply_pairs(a0, f.left[0], f.start);
        sum = mcuc_multiply_pairs(a1, f.left[1], sum);
        sum = mcuc_multiply_pairs(a2, f.left[2], sum);
        words += NEXT;
        a0 = words[0];
        a1 = words[1];
        a2 = words[2];
        sum = multiply_low_high(a0, f.right[0], sum);
        sum = multiply_low_high(a1, f.right[1], sum);
        sum = multiply_low_high(a2, f.right[2], sum);
        *output = requantize(sum, f.multiplier, f.constant, f.shift);
        output += step;
    }
}

/* One word of each of four channels: two pixels of a row. */
static inline void split(const int8_t *left, const int8_t *right, uint32_t *to)
{
    uint32_t left4 = mcuc_load4(left);
    uint32_t right4 = mcuc_load4(right);
    uint32_t left_even = mcuc_widen_even(left4);
    uint32_t right_even = mcuc_widen_even(right4);
    uint32_t left_odd = mcuc_widen_odd(left4);
    uint32_t right_odd = mcuc_widen_odd(right4);
    to[0] = mcuc_pack_low(left_even, right_even);
    to[ROWS] = mcuc_pack_low(left_odd, right_odd);
    to[2 * ROWS] = mcuc_pack_high(left_even, right_even);
    to[3 * ROWS] = mcuc_pack_high(left_odd, right_odd);
}

/* Four channels of the input rows as pairs of pixels, zero points left and right of them. */
static MCUC_NOINLINE void split_rows(const params *p, int32_t words, const void *const *rows,
                                     int32_t first, uint32_t *planes)
{
    const int8_t z = p->in_zero_point;
    const int8_t outside[LANES] = {z, z, z, z};
    int32_t channels = p->channels;

    for (int32_t row = 0; row < ROWS; row++) {
        const int8_t *from = (const int8_t *)rows[row] + first;
        uint32_t *to = planes + row;
        uint32_t *const end = to + words * NEXT;
        int32_t x = -(int32_t)p->pad_left;
        for (; x < 0; x += 2, to += NEXT) {
            split(outside, x + 1 < 0 ? outside : from, to);
        }
        from += x * channels;
        for (; to < end && x + 1 < p->in_width; x += 2, to += NEXT) {
            split(from, from + channels, to);
            from += 2 * channels;
        }
        for (; to < end; x += 2, to += NEXT) {
            split(x < p->in_width ? from : outside, outside, to);
        }
    }
}

void mcuc_depthwise_conv_2d_s8__dsp_3x3_rows(
    const mcuc_depthwise_conv_2d_s8__dsp_3x3_rows_params *p, const void *const *rows, void *output,
    void *scratch)
{
    int32_t words = (p->out_width + 1) / 2 * p->stride + 1;
    uint32_t *planes = (uint32_t *)scratch;
    const uint32_t *channel = p->filter;

    for (int32_t first = 0; first < p->channels; first += LANES) {
        split_rows(p, words, rows, first, planes);
        for (int32_t lane = 0; lane < LANES; lane++, channel += CHANNEL_WORDS) {
            const uint32_t *from = planes + lane * ROWS;
            int8_t *to = (int8_t *)output + first + lane;
            if (p->stride == 1) {
                convolve_stride_1(channel, from, p->out_width, p->channels, to);
            } else {
                convolve_stride_2(channel, from, p->out_width, p->channels, to);
            }
        }
    }
}
