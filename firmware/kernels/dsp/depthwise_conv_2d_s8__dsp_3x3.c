/*
 * mcuc_depthwise_conv_2d_s8__dsp_3x3: see mcuc/depthwise_conv_2d_s8__dsp_3x3.h.
 *
 * Planes lie column after column: for each pair of pixels in a row (a word), the rows of channel 0,
 * then of channels 1 to 3. So a block of 2 x 2 outputs runs down a column with one base register,
 * and the next columns are at a fixed distance.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/depthwise_conv_2d_s8__dsp_3x3.h"

#include "mcuc_dsp.h"
#include "mcuc_math.h"

typedef mcuc_depthwise_conv_2d_s8__dsp_3x3_params params;

enum { LANES = 4, CHANNEL_WORDS = 5 };

/* clang-format off */
/* A row of weights from r8, doubled: p = (w0, w1), q = (w1, w2). */
#define UNPACK(p, q)                            \
    "sxtb16 r9, r8\n"                           \
    "sxtb16 r8, r8, ror #8\n"                   \
    "pkhbt " p ", r9, r8, lsl #16\n"            \
    "pkhbt " q ", r8, r9\n"                     \
    "sadd16 " p ", " p ", " p "\n"              \
    "sadd16 " q ", " q ", " q "\n"

/* Stride 1: a row with pixels 0, 1 in r12 and 2, 3 in lr; adds to the sums of outputs 0 and 1. */
#define ROW_1_FROM(p, q, out0, from0, out1, from1)      \
    "smlad " out0 ", r12, " p ", " from0 "\n"           \
    "smlabt " out0 ", lr, " q ", " out0 "\n"            \
    "smlatb " out1 ", r12, " p ", " from1 "\n"          \
    "smlad " out1 ", lr, " q ", " out1 "\n"
#define ROW_1(p, q, out0, out1) ROW_1_FROM(p, q, out0, out0, out1, out1)
#define LOAD_1(next)                            \
    "ldr lr, [r0, r1]\n"                        \
    "ldr r12, [r0], #" next "\n"

/* Stride 2: pixels 2, 3 in lr and 4, 5 in r12; then 0, 1 in r12, in two parts. */
#define ROW_2_FROM(p, q, out0, from0, out1, from1)      \
    "smlabt " out0 ", lr, " q ", " from0 "\n"           \
    "smlad " out1 ", lr, " p ", " from1 "\n"            \
    "smlabt " out1 ", r12, " q ", " out1 "\n"
#define ROW_2(p, q, out0, out1) ROW_2_FROM(p, q, out0, out0, out1, out1)
#define ROW_2_LAST(p, out0) "smlad " out0 ", r12, " p ", " out0 "\n"
#define LOAD_2                                  \
    "ldr lr, [r0, r1]\n"                        \
    "ldr r12, [r0, r1, lsl #1]\n"

/*
 * The frame of a run. From sp: multiplier, constant, shift, twice the bias; where the next output
 * of column 1 goes, and of column 0; the words of the present columns, distance of columns, end of
 * the words, next columns of outputs; r4..r11, lr; then the arguments from step_x on.
 */
#define BEGIN_RUN                               \
    "push {r0-r11, lr}\n"                       \
    "sub sp, #24\n"                             \
    "ldrd r8, r9, [r2]\n"                       \
    "str r8, [sp, #12]\n"                       \
    "str r9, [sp, #0]\n"                        \
    "ldr r8, [r2, #16]\n"                       \
    UNPACK("r6", "r7")                          \
    "ldr r8, [r2, #12]\n"                       \
    UNPACK("r4", "r5")                          \
    "ldr r8, [r2, #8]\n"                        \
    "lsr r9, r8, #24\n"                         \
    "str r9, [sp, #8]\n"                        \
    "sub r9, r9, #1\n"                          \
    "mvn r10, #254\n"                           \
    "lsl r10, r10, r9\n"                        \
    "str r10, [sp, #4]\n"                       \
    UNPACK("r2", "r3")                          \
    "1:\n"                                      \
    "ldr r0, [sp, #24]\n"                       \
    "ldr r12, [sp, #36]\n"                      \
    "ldr lr, [sp, #76]\n"                       \
    "str r12, [sp, #20]\n"                      \
    "add r12, r12, lr\n"                        \
    "str r12, [sp, #16]\n"                      \
    "add r12, r12, lr\n"                        \
    "str r12, [sp, #36]\n"                      \
    "ldr r12, [sp, #84]\n"                      \
    "add r12, r12, r0\n"                        \
    "str r12, [sp, #32]\n"                      \
    "2:\n"                                      \
    "ldr r11, [sp, #12]\n"

/* Sums in r8, r9 (row 0) and r10, r11 (row 1). Row 1 and column 1 may not exist: they go first. */
#define END_RUN(next_columns)                   \
    "ldrd r12, lr, [sp]\n"                      \
    "smmlar r8, r8, r12, lr\n"                  \
    "smmlar r9, r9, r12, lr\n"                  \
    "smmlar r10, r10, r12, lr\n"                \
    "smmlar r11, r11, r12, lr\n"                \
    "ldr r12, [sp, #8]\n"                       \
    "asr r8, r8, r12\n"                         \
    "asr r9, r9, r12\n"                         \
    "asr r10, r10, r12\n"                       \
    "asr r11, r11, r12\n"                       \
    "ldr r12, [sp, #16]\n"                      \
    "ldr lr, [sp, #80]\n"                       \
    "ssat r8, #8, r8\n"                         \
    "ssat r9, #8, r9\n"                         \
    "ssat r10, #8, r10\n"                       \
    "ssat r11, #8, r11\n"                       \
    "strb r11, [r12, lr]\n"                     \
    "strb r9, [r12]\n"                          \
    "add r12, r12, lr, lsl #1\n"                \
    "str r12, [sp, #16]\n"                      \
    "ldr r12, [sp, #20]\n"                      \
    "strb r10, [r12, lr]\n"                     \
    "strb r8, [r12]\n"                          \
    "add r12, r12, lr, lsl #1\n"                \
    "str r12, [sp, #20]\n"                      \
    "ldr lr, [sp, #32]\n"                       \
    "cmp r0, lr\n"                              \
    "bne 2b\n"                                  \
    "ldr r0, [sp, #24]\n"                       \
    "ldr r12, [sp, #88]\n"                      \
    next_columns                                \
    "str r0, [sp, #24]\n"                       \
    "subs r12, #1\n"                            \
    "str r12, [sp, #88]\n"                      \
    "bne 1b\n"                                  \
    "add sp, #40\n"                             \
    "pop {r4-r11, pc}\n"
/* clang-format on */

/*
 * Blocks of 2 x 2 outputs of one channel: down two columns, until the words have moved by
 * `run_bytes`, then the next of `columns` pairs of columns. `pitch` is the distance of words that
 * are neighbours in a row. Steps of 0 write the first column or row alone.
 */
typedef void run(const uint32_t *words, int32_t pitch, const uint32_t *channel, int8_t *output,
                 int32_t step_x, int32_t step_y, int32_t run_bytes, int32_t columns);

__attribute__((naked, noinline, noipa)) static void
run_stride_1(const uint32_t *words __attribute__((unused)), int32_t pitch __attribute__((unused)),
             const uint32_t *channel __attribute__((unused)),
             int8_t *output __attribute__((unused)), int32_t step_x __attribute__((unused)),
             int32_t step_y __attribute__((unused)), int32_t run_bytes __attribute__((unused)),
             int32_t columns __attribute__((unused)))
{
    /* clang-format off */
    __asm__ volatile(
        BEGIN_RUN
        LOAD_1("4")
        ROW_1_FROM("r2", "r3", "r8", "r11", "r9", "r11")
        LOAD_1("4")
        ROW_1("r4", "r5", "r8", "r9")
        ROW_1_FROM("r2", "r3", "r10", "r11", "r11", "r11")
        LOAD_1("4")
        ROW_1("r6", "r7", "r8", "r9")
        ROW_1("r4", "r5", "r10", "r11")
        LOAD_1("-4")
        ROW_1("r6", "r7", "r10", "r11")
        END_RUN("add r0, r0, r1\n"));
    /* clang-format on */
}

__attribute__((naked, noinline, noipa)) static void
run_stride_2(const uint32_t *words __attribute__((unused)), int32_t pitch __attribute__((unused)),
             const uint32_t *channel __attribute__((unused)),
             int8_t *output __attribute__((unused)), int32_t step_x __attribute__((unused)),
             int32_t step_y __attribute__((unused)), int32_t run_bytes __attribute__((unused)),
             int32_t columns __attribute__((unused)))
{
    /* clang-format off */
    __asm__ volatile(
        BEGIN_RUN
        LOAD_2
        ROW_2_FROM("r2", "r3", "r8", "r11", "r9", "r11")
        "ldr r12, [r0], #4\n"
        ROW_2_LAST("r2", "r8")
        LOAD_2
        ROW_2("r4", "r5", "r8", "r9")
        "ldr r12, [r0], #4\n"
        ROW_2_LAST("r4", "r8")
        LOAD_2
        ROW_2("r6", "r7", "r8", "r9")
        ROW_2_FROM("r2", "r3", "r10", "r11", "r11", "r11")
        "ldr r12, [r0], #4\n"
        ROW_2_LAST("r6", "r8")
        ROW_2_LAST("r2", "r10")
        LOAD_2
        ROW_2("r4", "r5", "r10", "r11")
        "ldr r12, [r0], #4\n"
        ROW_2_LAST("r4", "r10")
        LOAD_2
        ROW_2("r6", "r7", "r10", "r11")
        "ldr r12, [r0]\n"
        ROW_2_LAST("r6", "r10")
        END_RUN("add r0, r0, r1, lsl #1\n"));
    /* clang-format on */
}

/* Planes of four channels: the words of a row, rows that there is room for, and the border. */
typedef struct {
    int32_t words;
    int32_t rows;
    int8_t outside[LANES];
} planes;

/* Pairs of pixels, each four channels, into the planes; returns where the next pair goes. */
static MCUC_NOINLINE uint32_t *split_pairs(const int8_t *left, const int8_t *right, int32_t step,
                                           uint32_t *to, int32_t rows, int32_t pairs)
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
        to += LANES * rows;
    } while (--pairs > 0);
    return to;
}

/* Splits a row of the image into the planes; `to` is the row there. */
static MCUC_NOINLINE void split_row(const params *p, const planes *s, const int8_t *row,
                                    uint32_t *to)
{
    const int32_t channels = p->channels;
    int32_t left = s->words;
    int32_t x = -(int32_t)p->pad_left;

    for (; x < 0; x += 2, left--) {
        to = split_pairs(s->outside, x + 1 < 0 ? s->outside : row, 0, to, s->rows, 1);
    }
    row += x * channels;
    int32_t inside = (p->in_width - x) / 2;
    inside = inside < left ? inside : left;
    if (inside > 0) {
        to = split_pairs(row, row + channels, 2 * channels, to, s->rows, inside);
        x += 2 * inside;
        row += 2 * inside * channels;
        left -= inside;
    }
    for (; left > 0; x += 2, left--) {
        to = split_pairs(x < p->in_width ? row : s->outside, s->outside, 0, to, s->rows, 1);
    }
}

/* A row of the planes above or below the image. */
static void fill_row(const planes *s, uint32_t *to)
{
    const uint32_t fill = (uint16_t)s->outside[0] * 0x00010001u;
    for (int32_t left = s->words * LANES; left > 0; left--) {
        *to = fill;
        to += s->rows;
    }
}

/* Moves the last rows of all planes, which the next strip needs too, to their front. */
static void keep_rows(const planes *s, uint32_t *scratch, int32_t kept)
{
    uint32_t *end = scratch + s->words * LANES * s->rows;
    for (uint32_t *plane = scratch; plane < end; plane += s->rows) {
        plane[0] = plane[s->rows - kept];
        if (kept > 1) {
            plane[1] = plane[s->rows - 1];
        }
    }
}

/* One channel of a strip of `height` output rows. */
static MCUC_NOINLINE void convolve_strip(const params *p, const planes *s, const uint32_t *words,
                                         const uint32_t *channel, int32_t height, int8_t *output)
{
    run *const blocks = p->stride == 1 ? run_stride_1 : run_stride_2;
    const int32_t block_bytes = 8 * p->stride;
    const int32_t pitch = 4 * LANES * s->rows;
    const int32_t step_x = p->channels;
    const int32_t step_y = p->out_width * step_x;
    int32_t columns = p->out_width / 2;
    const uint32_t *last_column = words + columns * p->stride * LANES * s->rows;
    int8_t *last_outputs = output + 2 * columns * step_x;

    for (;;) {
        /* Pairs of rows, then what is left. */
        int32_t run_bytes = height > 1 ? height / 2 * block_bytes : block_bytes;
        int32_t row_step = height > 1 ? step_y : 0;
        if (columns > 0) {
            blocks(words, pitch, channel, output, step_x, row_step, run_bytes, columns);
        }
        if (p->out_width % 2 != 0) {
            blocks(last_column, pitch, channel, last_outputs, 0, row_step, run_bytes, 1);
        }
        if (height <= 1 || height % 2 == 0) {
            return;
        }
        int32_t done = height - 1;
        words += done * p->stride;
        last_column += done * p->stride;
        output += done * step_y;
        last_outputs += done * step_y;
        height = 1;
    }
}

/* Four channels of an image. */
static void convolve_lanes(const params *p, const planes *s, const uint32_t *filter,
                           const int8_t *input, int8_t *output, uint32_t *scratch)
{
    const int32_t in_row = p->in_width * p->channels;
    const int32_t out_row = p->out_width * p->channels;
    const int32_t kept = 3 - p->stride;
    int32_t y = -(int32_t)p->pad_top;
    int32_t row = 0;

    for (int32_t done = 0; done < p->out_height; done += p->strip_height) {
        for (; row < s->rows; row++, y++) {
            if (y < 0 || y >= p->in_height) {
                fill_row(s, scratch + row);
            } else {
                split_row(p, s, input + y * in_row, scratch + row);
            }
        }
        int32_t left = p->out_height - done;
        int32_t height = left < p->strip_height ? left : p->strip_height;
        for (int32_t lane = 0; lane < LANES; lane++) {
            convolve_strip(p, s, scratch + lane * s->rows, filter + lane * CHANNEL_WORDS, height,
                           output + lane);
        }
        if (height < left) {
            keep_rows(s, scratch, kept);
        }
        row = kept;
        output += height * out_row;
    }
}

void mcuc_depthwise_conv_2d_s8__dsp_3x3(const mcuc_depthwise_conv_2d_s8__dsp_3x3_params *p,
                                        const int8_t *input, int8_t *output, void *scratch)
{
    const int8_t z = p->in_zero_point;
    const planes s = {(p->out_width + 1) / 2 * p->stride + 1,
                      (p->strip_height - 1) * p->stride + 3,
                      {z, z, z, z}};

    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t channel = 0; channel < p->channels; channel += LANES) {
            convolve_lanes(p, &s, p->filter + channel * CHANNEL_WORDS, input + channel,
                           output + channel, (uint32_t *)scratch);
        }
        input += p->in_height * p->in_width * p->channels;
        output += p->out_height * p->out_width * p->channels;
    }
}
