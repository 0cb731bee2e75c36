/*
 * mcuc_depthwise_conv_2d_s8__dsp: see mcuc/depthwise_conv_2d_s8__dsp.h.
 *
 * Four outputs of a channel at a time. With stride 1, pairs of weights (0, 1), (2, 3), .. give those
 * at even pixels, and (-, 0), (1, 2), .. those at odd ones, from the same pairs of pixels; with
 * stride 2 all are at even pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/depthwise_conv_2d_s8__dsp.h"

#include "mcuc_dsp_planes.h"

typedef mcuc_depthwise_conv_2d_s8__dsp_params params;

enum { LANES = MCUC_LANES, SCALING_WORDS = 3, OUTPUTS = 4 };

/* Where four channels are in the scratch: rows of pairs, used in turn, then the filters. */
typedef struct {
    int32_t words;        /* of each channel in a row */
    int32_t filter_words; /* pairs of weights in a row of the filter, of either kind */
    uint32_t *rows;
    uint32_t *filters;
    int32_t first; /* the row in `rows` that the first row of the filter meets */
} lanes;

/* Weights of a row as pairs of int16, doubled: for even pixels and for odd ones in turn. */
static uint32_t *widen_filter_row(const int8_t *filter, int32_t taps, int32_t words, uint32_t *to)
{
    int32_t before = 0;
    for (int32_t i = 0; i < 2 * words; i += 2) {
        int32_t even = i < taps ? filter[i] * 2 : 0;
        int32_t odd = i + 1 < taps ? filter[i + 1] * 2 : 0;
        *to++ = mcuc_pack_low((uint32_t)even, (uint32_t)odd);
        *to++ = mcuc_pack_low((uint32_t)before, (uint32_t)even);
        before = odd;
    }
    return to;
}

/* Four channels of row y of an image as pairs of pixels, zero points outside. */
static void split_row(const params *p, const lanes *l, const int8_t *image, int32_t y, uint32_t *to)
{
    const int32_t channels = p->channels;
    const int8_t *const row = image + y * p->in_width * channels;
    const int8_t z = p->in_zero_point;
    const int8_t outside[LANES] = {z, z, z, z};
    int32_t words = l->words;
    int32_t x = -(int32_t)p->pad_left;

    if (y < 0 || y >= p->in_height) {
        (void)mcuc_split_pairs(outside, outside, 0, to, 1, words);
        return;
    }
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

/* One channel of a row of outputs: what all of its sums share. */
typedef struct {
    const uint32_t *first; /* pairs of the first row of the windows, within [rows, rows_end) */
    const uint32_t *rows;
    const uint32_t *rows_end;
    const uint32_t *filter;
    const uint32_t *filter_end;
    int32_t row_words; /* from row to row of pairs */
    int32_t start;     /* of a sum */
    int32_t sums[OUTPUTS];
} window;

/* The sums of four outputs side by side, `at` words into the rows. */
static inline void sum_stride_1(window *w, int32_t at, int32_t filter_words)
{
    const uint32_t *row = w->first;
    const uint32_t *weights = w->filter;
    int32_t sum0 = w->start;
    int32_t sum1 = sum0;
    int32_t sum2 = sum0;
    int32_t sum3 = sum0;
    do {
        const uint32_t *pairs = row + at;
        const uint32_t *const end = weights + filter_words;
        uint32_t pair = *pairs;
        do {
            uint32_t even = *weights++;
            uint32_t odd = *weights++;
            pairs += LANES;
            sum0 = mcuc_multiply_pairs(pair, even, sum0);
            sum1 = mcuc_multiply_pairs(pair, odd, sum1);
            pair = *pairs;
            sum2 = mcuc_multiply_pairs(pair, even, sum2);
            sum3 = mcuc_multiply_pairs(pair, odd, sum3);
        } while (weights < end);
        row += w->row_words;
        row = row < w->rows_end ? row : w->rows;
    } while (weights < w->filter_end);
    w->sums[0] = sum0;
    w->sums[1] = sum1;
    w->sums[2] = sum2;
    w->sums[3] = sum3;
}

/*
 * The same for outputs two pixels apart: all take the weights for even pixels. The last pair of an
 * even number of taps is for odd pixels alone; its even weights are 0.
 */
static inline void sum_stride_2(window *w, int32_t at, int32_t filter_words)
{
    const uint32_t *row = w->first;
    const uint32_t *weights = w->filter;
    int32_t sum0 = w->start;
    int32_t sum1 = sum0;
    int32_t sum2 = sum0;
    int32_t sum3 = sum0;
    do {
        const uint32_t *pairs = row + at;
        const uint32_t *const end = weights + filter_words;
        do {
            uint32_t even = *weights;
            weights += 2;
            sum0 = mcuc_multiply_pairs(pairs[0], even, sum0);
            sum1 = mcuc_multiply_pairs(pairs[LANES], even, sum1);
            sum2 = mcuc_multiply_pairs(pairs[2 * LANES], even, sum2);
            sum3 = mcuc_multiply_pairs(pairs[3 * LANES], even, sum3);
            pairs += LANES;
        } while (weights < end);
        row += w->row_words;
        row = row < w->rows_end ? row : w->rows;
    } while (weights < w->filter_end);
    w->sums[0] = sum0;
    w->sums[1] = sum1;
    w->sums[2] = sum2;
    w->sums[3] = sum3;
}

static MCUC_NOINLINE void convolve_row(const params *p, const lanes *l, int32_t lane,
                                       const int32_t *scaling, int8_t *output)
{
    const int32_t channels = p->channels;
    const int32_t multiplier = scaling[1];
    const int32_t shift = scaling[2];
    const int32_t constant = (2 * p->out_zero_point + 1) * (1 << (shift - 1));
    const int32_t filter_words = 2 * l->filter_words;
    const int32_t next = OUTPUTS / 2 * p->stride_w * LANES;
    int32_t at = lane;
    window w;

    w.row_words = LANES * l->words;
    w.rows = l->rows;
    w.rows_end = l->rows + p->filter_height * w.row_words;
    w.first = l->rows + l->first * w.row_words;
    w.filter = l->filters + lane * p->filter_height * filter_words;
    w.filter_end = w.filter + p->filter_height * filter_words;
    w.start = scaling[0];
    for (int32_t left = p->out_width; left > 0; left -= OUTPUTS, at += next) {
        if (p->stride_w == 1) {
            sum_stride_1(&w, at, filter_words);
        } else {
            sum_stride_2(&w, at, filter_words);
        }
        *output = mcuc_requantize_doubled(w.sums[0], multiplier, constant, shift);
        output += channels;
        for (int32_t i = 1; i < OUTPUTS && i < left; i++, output += channels) {
            *output = mcuc_requantize_doubled(w.sums[i], multiplier, constant, shift);
        }
    }
}

/* Four channels of an image; `filter` and `scaling` are those of the first. */
static void convolve_lanes(const params *p, lanes *l, const int8_t *filter, const int32_t *scaling,
                           const int8_t *input, int8_t *output)
{
    const int32_t row_words = LANES * l->words;
    const int32_t out_row = p->out_width * p->channels;
    uint32_t *widened = l->filters;
    int32_t next = -(int32_t)p->pad_top;
    int32_t end = next;

    for (int32_t row = 0; row < LANES * p->filter_height; row++) {
        widened = widen_filter_row(filter, p->filter_width, l->filter_words, widened);
        filter += p->filter_width;
    }
    l->first = 0;
    for (int32_t y = 0; y < p->out_height; y++, output += out_row) {
        /* Of rows that no window meets none are split. */
        end = y * p->stride_h - p->pad_top + p->filter_height;
        next = next < end - p->filter_height ? end - p->filter_height : next;
        for (; next < end; next++) {
            split_row(p, l, input, next, l->rows + l->first * row_words);
            l->first = l->first + 1 == p->filter_height ? 0 : l->first + 1;
        }
        for (int32_t lane = 0; lane < LANES; lane++) {
            convolve_row(p, l, lane, scaling + lane * SCALING_WORDS, output + lane);
        }
    }
}

void mcuc_depthwise_conv_2d_s8__dsp(const mcuc_depthwise_conv_2d_s8__dsp_params *p,
                                    const int8_t *input, int8_t *output, void *scratch)
{
    const int32_t channel_taps = p->filter_height * p->filter_width;
    lanes l;

    l.filter_words = p->filter_width / 2 + 1;
    l.words = (p->out_width + 3) / 4 * 2 * p->stride_w + l.filter_words - 1;
    l.rows = (uint32_t *)scratch;
    l.filters = l.rows + p->filter_height * LANES * l.words;
    l.first = 0;
    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t channel = 0; channel < p->channels; channel += LANES) {
            convolve_lanes(p, &l, p->filter + channel * channel_taps,
                           p->scaling + channel * SCALING_WORDS, input + channel, output + channel);
        }
        input += p->in_height * p->in_width * p->channels;
        output += p->out_height * p->out_width * p->channels;
    }
}
