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

#include "mcuc_dsp_planes.h"

typedef mcuc_depthwise_conv_2d_s8__dsp_3x3_params params;

enum { LANES = MCUC_LANES, CHANNEL_WORDS = 5 };

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
#define LOAD(next)                              \
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
    "ldr r12, [sp, #88]\n"                      \
    "cmp r12, #0\n"                             \
    "beq 3f\n"                                  \
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

/* Sums in r8, r9 (row 0) and r10, r11 (row 1). Row 1 may not exist: it goes first. */
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
    "3:\n"                                      \
    "ldr r12, [sp, #92]\n"                      \
    "cmp r12, #0\n"                             \
    "bne 4f\n"                            \
    "add sp, #40\n"                             \
    "pop {r4-r11, pc}\n"

/* A last column by itself: sums in r8 (row 0) and r10 (row 1), outputs at r9, a row further r11. */
#define BEGIN_COLUMN                            \
    "4:\n"                                      \
    "mov r12, #0\n"                             \
    "str r12, [sp, #92]\n"                      \
    "ldr r12, [sp, #84]\n"                      \
    "ldr r9, [sp, #36]\n"                       \
    "ldr r11, [sp, #80]\n"                      \
    "add r12, r12, r0\n"                        \
    "str r12, [sp, #32]\n"                      \
    "5:\n"                                      \
    "ldr r10, [sp, #12]\n"
#define TAPS_FROM(p, q, out, from)              \
    "smlad " out ", r12, " p ", " from "\n"     \
    "smlabt " out ", lr, " q ", " out "\n"
#define TAPS(p, q, out) TAPS_FROM(p, q, out, out)
#define END_COLUMN                              \
    "ldrd r12, lr, [sp]\n"                      \
    "smmlar r8, r8, r12, lr\n"                  \
    "smmlar r10, r10, r12, lr\n"                \
    "ldr r12, [sp, #8]\n"                       \
    "asr r8, r8, r12\n"                         \
    "asr r10, r10, r12\n"                       \
    "ssat r8, #8, r8\n"                         \
    "ssat r10, #8, r10\n"                       \
    "strb r10, [r9, r11]\n"                     \
    "strb r8, [r9]\n"                           \
    "add r9, r9, r11, lsl #1\n"                 \
    "ldr lr, [sp, #32]\n"                       \
    "cmp r0, lr\n"                              \
    "bne 5b\n"                                  \
    "b 3b\n"
/* clang-format on */

/*
 * Blocks of 2 x 2 outputs of one channel: down two columns, until the words have moved by
 * `run_bytes`, then the next of `columns` pairs of columns; then a last column, if there is one.
 * `pitch` is the distance of words that are neighbours in a row, the steps are those of outputs. A
 * step_y of 0 writes the first row alone.
 */
typedef void run(const uint32_t *words, int32_t pitch, const uint32_t *channel, int8_t *output,
                 int32_t step_x, int32_t step_y, int32_t run_bytes, int32_t columns,
                 int32_t has_last);

__attribute__((naked, noinline, noipa)) static void
run_stride_1(const uint32_t *words __attribute__((unused)), int32_t pitch __attribute__((unused)),
             const uint32_t *channel __attribute__((unused)),
             int8_t *output __attribute__((unused)), int32_t step_x __attribute__((unused)),
             int32_t step_y __attribute__((unused)), int32_t run_bytes __attribute__((unused)),
             int32_t columns __attribute__((unused)), int32_t has_last __attribute__((unused)))
{
    /* clang-format off */
    __asm__ volatile(
        BEGIN_RUN
        LOAD("4")
        ROW_1_FROM("r2", "r3", "r8", "r11", "r9", "r11")
        LOAD("4")
        ROW_1("r4", "r5", "r8", "r9")
        ROW_1_FROM("r2", "r3", "r10", "r11", "r11", "r11")
        LOAD("4")
        ROW_1("r6", "r7", "r8", "r9")
        ROW_1("r4", "r5", "r10", "r11")
        LOAD("-4")
        ROW_1("r6", "r7", "r10", "r11")
        END_RUN("add r0, r0, r1\n")
        BEGIN_COLUMN
        LOAD("4")
        TAPS_FROM("r2", "r3", "r8", "r10")
        LOAD("4")
        TAPS("r4", "r5", "r8")
        TAPS("r2", "r3", "r10")
        LOAD("4")
        TAPS("r6", "r7", "r8")
        TAPS("r4", "r5", "r10")
        LOAD("-4")
        TAPS("r6", "r7", "r10")
        END_COLUMN);
    /* clang-format on */
}

__attribute__((naked, noinline, noipa)) static void
run_stride_2(const uint32_t *words __attribute__((unused)), int32_t pitch __attribute__((unused)),
             const uint32_t *channel __attribute__((unused)),
             int8_t *output __attribute__((unused)), int32_t step_x __attribute__((unused)),
             int32_t step_y __attribute__((unused)), int32_t run_bytes __attribute__((unused)),
             int32_t columns __attribute__((unused)), int32_t has_last __attribute__((unused)))
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
        END_RUN("add r0, r0, r1, lsl #1\n")
        BEGIN_COLUMN
        LOAD("4")
        TAPS_FROM("r2", "r3", "r8", "r10")
        LOAD("4")
        TAPS("r4", "r5", "r8")
        LOAD("4")
        TAPS("r6", "r7", "r8")
        TAPS("r2", "r3", "r10")
        LOAD("4")
        TAPS("r4", "r5", "r10")
        LOAD("0")
        TAPS("r6", "r7", "r10")
        END_COLUMN);
    /* clang-format on */
}

/* Planes of four channels: the words of a row, rows that there is room for, and the border. */
typedef struct {
    int32_t words;
    int32_t rows;
    int8_t outside[LANES];
} planes;

/* Splits a row of the image into the planes; `to` is the row there. */
static MCUC_NOINLINE void split_row(const params *p, const planes *s, const int8_t *row,
                                    uint32_t *to)
{
    const int32_t channels = p->channels;
    int32_t left = s->words;
    int32_t x = -(int32_t)p->pad_left;

    for (; x < 0; x += 2, left--) {
        to = mcuc_split_pairs(s->outside, x + 1 < 0 ? s->outside : row, 0, to, s->rows, 1);
    }
    row += x * channels;
    int32_t inside = (p->in_width - x) / 2;
    inside = inside < left ? inside : left;
    if (inside > 0) {
        to = mcuc_split_pairs(row, row + channels, 2 * channels, to, s->rows, inside);
        x += 2 * inside;
        row += 2 * inside * channels;
        left -= inside;
    }
    for (; left > 0; x += 2, left--) {
        to = mcuc_split_pairs(x < p->in_width ? row : s->outside, s->outside, 0, to, s->rows, 1);
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

    if (height > 1) {
        blocks(words, pitch, channel, output, step_x, step_y, height / 2 * block_bytes,
               p->out_width / 2, p->out_width % 2);
    }
    if (height % 2 != 0) {
        int32_t above = height - 1;
        blocks(words + above * p->stride, pitch, channel, output + above * step_y, step_x, 0,
               block_bytes, p->out_width / 2, p->out_width % 2);
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
