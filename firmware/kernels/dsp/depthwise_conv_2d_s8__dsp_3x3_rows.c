/*
 * mcuc_depthwise_conv_2d_s8__dsp_3x3_rows: see mcuc/depthwise_conv_2d_s8__dsp_3x3_rows.h.
 *
 * A channel after the other, with its filter in registers. A pixel's three rows are loaded once, the
 * upper two as a pair, and meet the filter's columns for up to three outputs, whose sums are under
 * way at a time. Nothing is moved beforehand: in whole tensors that pays, where a row is under the
 * filter three times; here it would be done three times.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/depthwise_conv_2d_s8__dsp_3x3_rows.h"

#include "mcuc_dsp.h"
#include "mcuc_math.h"

typedef mcuc_depthwise_conv_2d_s8__dsp_3x3_rows_params params;

enum { ROWS = 3, COLUMNS = 3, CHANNEL_WORDS = 7 };

/* A channel's filter: of each column rows 0 and 1; row 2 of columns 0 and 1, and of column 2. */
typedef struct {
    uint32_t upper[COLUMNS];
    uint32_t lower_01;
    uint32_t lower_2;
    int32_t start;
    int32_t multiplier;
    int32_t constant;
    int32_t shift;
} filter;

static inline filter unpacked(const uint32_t *channel)
{
    int32_t shift = (int32_t)(channel[4] >> 16);
    const filter f = {.upper = {channel[0], channel[1], channel[2]},
                      .lower_01 = channel[3],
                      .lower_2 = channel[4],
                      .start = (int32_t)channel[5],
                      .multiplier = (int32_t)channel[6],
                      .constant = -255 * (1 << (shift - 1)),
                      .shift = shift};
    return f;
}

/* The input rows, and how far it is from pixel to pixel and to the end of a row. */
typedef struct {
    const int8_t *row[ROWS];
    int32_t step;
    int32_t row_bytes;
    int32_t in_zero_point;
} image;

/* The three rows at a pixel: 0 and 1 side by side, and 2 */
typedef struct {
    uint32_t upper;
    uint32_t lower;
} pixel;

static inline pixel pixel_inside(const image *from, int32_t at)
{
    uint32_t upper = (uint32_t)from->row[0][at];
    pixel result = {mcuc_pack_low(upper, (uint32_t)from->row[1][at]), (uint32_t)from->row[2][at]};
    return result;
}

static inline pixel pixel_outside(const image *from)
{
    uint32_t z = (uint32_t)from->in_zero_point;
    pixel result = {mcuc_pack_low(z, z), z};
    return result;
}

static inline pixel pixel_at(const image *from, int32_t at)
{
    if ((uint32_t)at < (uint32_t)from->row_bytes) {
        return pixel_inside(from, at);
    }
    return pixel_outside(from);
}

/* sum + the products of a pixel with column 0, 1 or 2 of the filter */
static inline int32_t add_left(const filter *f, pixel at, int32_t sum)
{
    sum = mcuc_multiply_pairs(at.upper, f->upper[0], sum);
    __asm__("smlabb %0, %1, %2, %0" : "+r"(sum) : "r"(at.lower), "r"(f->lower_01));
    return sum;
}

static inline int32_t add_centre(const filter *f, pixel at, int32_t sum)
{
    sum = mcuc_multiply_pairs(at.upper, f->upper[1], sum);
    __asm__("smlabt %0, %1, %2, %0" : "+r"(sum) : "r"(at.lower), "r"(f->lower_01));
    return sum;
}

static inline int32_t add_right(const filter *f, pixel at, int32_t sum)
{
    sum = mcuc_multiply_pairs(at.upper, f->upper[2], sum);
    __asm__("smlabb %0, %1, %2, %0" : "+r"(sum) : "r"(at.lower), "r"(f->lower_2));
    return sum;
}

/* The output of a sum; its sign does not matter where the output is clamped at the zero point. */
static inline int8_t requantize(const filter *f, int32_t doubled)
{
    int32_t result;
    __asm__("smmlar %0, %1, %2, %3"
            : "=r"(result)
            : "r"(doubled), "r"(f->multiplier), "r"(f->constant));
    result >>= f->shift;
    __asm__("ssat %0, #8, %0" : "+r"(result));
    return (int8_t)result;
}

/* A channel at stride 1 from byte `at` of the rows on, which may be left of them: each pixel is the
 * right one of a window, then the centre, then the left one. */
static MCUC_NOINLINE void slide(const uint32_t *channel, const image *from, int32_t at,
                                int32_t width, int8_t *output)
{
    const filter f = unpacked(channel);
    const int32_t step = from->step;
    const int32_t end = at + (width + COLUMNS - 1) * step;
    const int32_t inside = end < from->row_bytes ? end : from->row_bytes;
    pixel p = pixel_at(from, at);
    int32_t sum = add_left(&f, p, f.start);
    p = pixel_at(from, at + step);
    sum = add_centre(&f, p, sum);
    int32_t next = add_left(&f, p, f.start);

    for (at += (COLUMNS - 1) * step; at < inside; at += step, output += step) {
        p = pixel_inside(from, at);
        int32_t last = add_right(&f, p, sum);
        sum = add_centre(&f, p, next);
        next = add_left(&f, p, f.start);
        *output = requantize(&f, last);
    }
    p = pixel_outside(from);
    for (; at < end; at += step, output += step) {
        int32_t last = add_right(&f, p, sum);
        sum = add_centre(&f, p, next);
        next = add_left(&f, p, f.start);
        *output = requantize(&f, last);
    }
}

/* A channel at stride 2: the right pixel of a window is the left one of the next. */
static MCUC_NOINLINE void leap(const uint32_t *channel, const image *from, int32_t at,
                               int32_t width, int8_t *output)
{
    const filter f = unpacked(channel);
    const int32_t step = from->step;
    const int32_t end = at + 2 * width * step;
    int32_t sum = add_left(&f, pixel_at(from, at), f.start);

    for (; at < end; at += 2 * step, output += step) {
        sum = add_centre(&f, pixel_at(from, at + step), sum);
        pixel p = pixel_at(from, at + 2 * step);
        int32_t last = add_right(&f, p, sum);
        sum = add_left(&f, p, f.start);
        *output = requantize(&f, last);
    }
}

void mcuc_depthwise_conv_2d_s8__dsp_3x3_rows(
    const mcuc_depthwise_conv_2d_s8__dsp_3x3_rows_params *p, const void *const *rows, void *output)
{
    const int32_t channels = p->channels;
    const int32_t start = -(int32_t)p->pad_left * channels;
    const image from = {
        {(const int8_t *)rows[0], (const int8_t *)rows[1], (const int8_t *)rows[2]},
        channels,
        p->in_width * channels,
        p->in_zero_point,
    };
    const uint32_t *filter_words = p->filter;
    int8_t *to = (int8_t *)output;

    for (int32_t channel = 0; channel < channels; channel++, filter_words += CHANNEL_WORDS) {
        if (p->stride == 1) {
            slide(filter_words, &from, start + channel, p->out_width, to + channel);
        } else {
            leap(filter_words, &from, start + channel, p->out_width, to + channel);
        }
    }
}
