/*
 * mcuc_conv_2d_s8__dsp_winograd: see mcuc/conv_2d_s8__dsp_winograd.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_s8__dsp_winograd.h"

#include "mcuc_dsp.h"
#include "mcuc_math.h"

typedef mcuc_conv_2d_s8__dsp_winograd_params params;

enum {
    OUTPUTS = 4,
    TILES = 2,
    POSITIONS = 16,
    SUMS = OUTPUTS * TILES,
    CHANNEL_WORDS = 4,
    ROWS = 4,
    COLUMNS = 6,
    PAIRS_A_ROUND = 8,
    PAIR_CODE_BYTES = 44
};

/* Position (1, 1) is in both rows and both columns of what comes out: the bias goes there. */
enum { BIAS_POSITION = 4 };

/* clang-format off */
/* A pair of channels: 4 outputs x 2 tiles, sums in r6..r12, lr. */
#define PAIR                            \
    "ldrd r2, r3, [r0], #8\n"           \
    "ldrd r4, r5, [r1], #8\n"           \
    "smlad r6, r2, r4, r6\n"            \
    "smlad r7, r2, r5, r7\n"            \
    "smlad r8, r3, r4, r8\n"            \
    "smlad r9, r3, r5, r9\n"            \
    "ldrd r2, r3, [r0], #8\n"           \
    "smlad r10, r2, r4, r10\n"          \
    "smlad r11, r2, r5, r11\n"          \
    "smlad r12, r3, r4, r12\n"          \
    "smlad lr, r3, r5, lr\n"

/*
 * Two positions that follow each other: the sums over all channels of the first, from `start` on,
 * and those of both. 16 sums go to `sums`. `bytes` are those of a position in `inputs`; `entry` is
 * where the first round of eight pairs is entered, in bytes from two bytes before it. Returns the
 * filter of the next position.
 */
__attribute__((naked, noinline, noipa)) static const uint32_t *
sum_positions(const uint32_t *filter __attribute__((unused)),
              const uint32_t *inputs __attribute__((unused)),
              const int32_t *start __attribute__((unused)), int32_t *sums __attribute__((unused)),
              int32_t bytes __attribute__((unused)), int32_t entry __attribute__((unused)))
{
    /* sp: end of the present position, end of both, start, sums, r4..r11, lr, bytes, entry. */
    __asm__ volatile(
        "push {r0-r11, lr}\n"
        "ldr r4, [sp, #52]\n"
        "add r4, r4, r1\n"
        "str r4, [sp, #0]\n"
        "ldr r5, [sp, #52]\n"
        "add r4, r4, r5\n"
        "str r4, [sp, #4]\n"
        "ldm r2, {r6-r12, lr}\n"
        "1:\n"
        "ldr r2, [sp, #56]\n"
        "add pc, r2\n"
        "2:\n"
        PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR
        "ldr r2, [sp, #0]\n"
        "cmp r1, r2\n"
        "bne 2b\n"
        "ldr r3, [sp, #12]\n"
        "ldr r4, [sp, #4]\n"
        "stm r3!, {r6-r12, lr}\n"
        "str r3, [sp, #12]\n"
        "str r4, [sp, #0]\n"
        "cmp r1, r4\n"
        "bne 1b\n"
        "add sp, #16\n"
        "pop {r4-r11, pc}\n");
}
/* clang-format on */

static inline uint32_t add_pairs(uint32_t a, uint32_t b)
{
    uint32_t result;
    __asm__("sadd16 %0, %1, %2" : "=r"(result) : "r"(a), "r"(b));
    return result;
}

static inline uint32_t subtract_pairs(uint32_t a, uint32_t b)
{
    uint32_t result;
    __asm__("ssub16 %0, %1, %2" : "=r"(result) : "r"(a), "r"(b));
    return result;
}

/* One row of both tiles, transformed vertically: horizontally too, and to its four positions. */
static inline void transform_row(const uint32_t *row, uint32_t *to, int32_t position_words)
{
#pragma GCC unroll 2
    for (int32_t tile = 0; tile < TILES; tile++, row += 2, to++) {
        to[0] = subtract_pairs(row[0], row[2]);
        to[4 * position_words] = add_pairs(row[1], row[2]);
        to[8 * position_words] = subtract_pairs(row[2], row[1]);
        to[12 * position_words] = subtract_pairs(row[1], row[3]);
    }
}

/*
 * Row `position` of four transformed ones, for four channels: the rows at a and b, added or
 * subtracted.
 */
static inline void transform_lanes(const int8_t *a, const int8_t *b, int32_t step, int32_t is_sum,
                                   uint32_t *to, int32_t position_words)
{
    uint32_t even[COLUMNS];
    uint32_t odd[COLUMNS];
#pragma GCC unroll 6
    for (int32_t x = 0; x < COLUMNS; x++) {
        uint32_t a4 = mcuc_load4(a + x * step);
        uint32_t b4 = mcuc_load4(b + x * step);
        uint32_t a_even = mcuc_widen_even(a4);
        uint32_t b_even = mcuc_widen_even(b4);
        uint32_t a_odd = mcuc_widen_odd(a4);
        uint32_t b_odd = mcuc_widen_odd(b4);
        even[x] = is_sum ? add_pairs(a_even, b_even) : subtract_pairs(a_even, b_even);
        odd[x] = is_sum ? add_pairs(a_odd, b_odd) : subtract_pairs(a_odd, b_odd);
    }
    transform_row(even, to, position_words);
    transform_row(odd, to + TILES, position_words);
}

/* The 4 x 6 pixels of two tiles, all channels. `pitch` is from row to row. */
static void transform_input(const params *p, const int8_t *input, int32_t pitch, uint32_t *inputs)
{
    const int32_t channels = p->in_channels;
    const int32_t words = channels / 2 * TILES;
    const int8_t *const end = input + channels;

    for (; input < end; input += 4, inputs += 2 * TILES) {
        const int8_t *row1 = input + pitch;
        const int8_t *row2 = row1 + pitch;
        transform_lanes(row1, row2, channels, 1, inputs, words);
        transform_lanes(input, row2, channels, 0, inputs + words, words);
        transform_lanes(row2, row1, channels, 0, inputs + 2 * words, words);
        transform_lanes(row1, row2 + pitch, channels, 0, inputs + 3 * words, words);
    }
}

/*
 * One output channel of one tile from its sums, a column of which holds m1, m0 + m1, m2, m2 + m3:
 * the 2 x 2 pixels, four times as large as they should be.
 */
static inline void write_tile(const int32_t *sums, const int32_t *channel, int8_t *output,
                              int32_t step_x, int32_t step_y)
{
    int32_t top[4];
    int32_t bottom[4];
#pragma GCC unroll 4
    for (int32_t x = 0; x < 4; x++) {
        const int32_t *column = sums + x * 4 * SUMS;
        top[x] = (int32_t)((uint32_t)column[SUMS] + (uint32_t)column[2 * SUMS]);
        bottom[x] = (int32_t)((uint32_t)column[0] - (uint32_t)column[3 * SUMS]);
    }
    const int32_t shift = channel[1];
    const int32_t multiplier = channel[2];
    const int32_t constant = channel[3];
    int32_t *row = top;
#pragma GCC unroll 2
    for (int32_t y = 0; y < 2; y++, row = bottom, output += step_y) {
        uint32_t middle = (uint32_t)row[1] + (uint32_t)row[2];
        uint32_t left = (uint32_t)row[0] + middle;
        uint32_t right = (uint32_t)row[1] - (uint32_t)row[2] - (uint32_t)row[3];
        output[0] = mcuc_requantize_doubled((int32_t)left >> 1, multiplier, constant, shift);
        output[step_x] = mcuc_requantize_doubled((int32_t)right >> 1, multiplier, constant, shift);
    }
}

/* All outputs of two tiles. */
static void convolve_tiles(const params *p, const uint32_t *inputs, int32_t *sums, int8_t *output)
{
    const int32_t pairs = p->in_channels / 2;
    const int32_t entry = ((0 - pairs) & (PAIRS_A_ROUND - 1)) * PAIR_CODE_BYTES - 2;
    const int32_t step_x = p->out_channels;
    const int32_t step_y = p->out_width * step_x;
    const uint32_t *filter = p->filter;
    const int32_t *channel = p->channels;
    static const int32_t zeros[SUMS];
    int32_t start[SUMS];

    for (int32_t left = p->out_channels; left > 0; left -= OUTPUTS) {
        for (int32_t i = 0; i < SUMS; i++) {
            start[i] = channel[i / TILES * CHANNEL_WORDS];
        }
        for (int32_t position = 0; position < POSITIONS; position += 2) {
            filter = sum_positions(filter, inputs + position * pairs * TILES,
                                   position == BIAS_POSITION ? start : zeros,
                                   sums + position * SUMS, 4 * pairs * TILES, entry);
        }
        for (int32_t i = 0; i < OUTPUTS; i++, channel += CHANNEL_WORDS) {
            write_tile(sums + i * TILES, channel, output + i, step_x, step_y);
            write_tile(sums + i * TILES + 1, channel, output + i + 2 * step_x, step_x, step_y);
        }
        output += OUTPUTS;
    }
}

/* The pixels from (y, x) on, with zero points for those outside the image. */
static void copy_border(const params *p, const int8_t *image, int32_t y, int32_t x, int8_t *to)
{
    const uint32_t fill = (uint8_t)p->in_zero_point * 0x01010101u;
    const int32_t channels = p->in_channels;

    for (int32_t row = y; row < y + ROWS; row++) {
        for (int32_t column = x; column < x + COLUMNS; column++) {
            int32_t is_inside =
                row >= 0 && row < p->in_height && column >= 0 && column < p->in_width;
            const int8_t *from = image + (row * p->in_width + column) * channels;
            for (int32_t i = 0; i < channels; i += 4, to += 4) {
                uint32_t four = is_inside ? mcuc_load4(from + i) : fill;
                (void)memcpy(to, &four, sizeof four);
            }
        }
    }
}

void mcuc_conv_2d_s8__dsp_winograd(const mcuc_conv_2d_s8__dsp_winograd_params *p,
                                   const int8_t *input, int8_t *output, void *scratch)
{
    const int32_t channels = p->in_channels;
    const int32_t pitch = p->in_width * channels;
    uint32_t *inputs = (uint32_t *)scratch;
    int32_t *sums = (int32_t *)scratch + POSITIONS * TILES * channels / 2;
    int8_t *border = (int8_t *)(sums + POSITIONS * SUMS);

    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t row = 0; row < p->out_height; row += 2) {
            int32_t y = row - p->pad_top;
            for (int32_t column = 0; column < p->out_width; column += 2 * TILES) {
                int32_t x = column - p->pad_left;
                if (y >= 0 && y + ROWS <= p->in_height && x >= 0 && x + COLUMNS <= p->in_width) {
                    transform_input(p, input + y * pitch + x * channels, pitch, inputs);
                } else {
                    copy_border(p, input, y, x, border);
                    transform_input(p, border, COLUMNS * channels, inputs);
                }
                convolve_tiles(p, inputs, sums,
                               output + (row * p->out_width + column) * p->out_channels);
            }
        }
        input += p->in_height * pitch;
        output += p->out_height * p->out_width * p->out_channels;
    }
}
