/*
 * mcuc_dsp_tile.h: two pixels and four outputs of a convolution at a time.
 *
 * The windows of two pixels are widened into columns of int16 pairs, side by side; a tile of two
 * pixels and four outputs then runs over them with eight sums in registers; a pixel that is left
 * alone has a tile of its own. Layout and arithmetic are those of mcuc/conv_2d_s8__dsp.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DSP_TILE_H
#define MCUC_DSP_TILE_H

#include "mcuc_dsp.h"
#include "mcuc_math.h"

enum {
    MCUC_TILE_OUTPUTS = 4,
    MCUC_TILE_PIXELS = 2,
    MCUC_TILE_CHANNEL_WORDS = 16,
    MCUC_TILE_PAIRS_A_ROUND = 8,
    MCUC_TILE_PAIR_CODE_BYTES = 48,
    MCUC_TILE_SINGLE_PAIRS_A_ROUND = 4,
    MCUC_TILE_SINGLE_PAIR_CODE_BYTES = 32
};

/* clang-format off */
/*
 * One pair of terms: 16 products. r0 walks along the weights, r1 along the columns. The raw word of
 * weights adds 256 b + a to the sum of b (d), its low bytes add a (c) to that of a (c).
 */
#define MCUC_TILE_PAIR                   \
    "ldrd r4, r5, [r0], #8\n"  \
    "ldrd r2, r3, [r1], #8\n"  \
    "smlad r7, r2, r4, r7\n"   \
    "smlad r11, r3, r4, r11\n" \
    "sxtb16 r4, r4\n"          \
    "smlad r9, r2, r5, r9\n"   \
    "smlad lr, r3, r5, lr\n"   \
    "sxtb16 r5, r5\n"          \
    "smlad r6, r2, r4, r6\n"   \
    "smlad r10, r3, r4, r10\n" \
    "smlad r8, r2, r5, r8\n"   \
    "smlad r12, r3, r5, r12\n"

/* The same of the first pixel alone: 8 products. */
#define MCUC_TILE_SINGLE_PAIR            \
    "ldrd r4, r5, [r0], #8\n"  \
    "ldr r2, [r1], #8\n"       \
    "smlad r7, r2, r4, r7\n"   \
    "sxtb16 r4, r4\n"          \
    "smlad r9, r2, r5, r9\n"   \
    "sxtb16 r5, r5\n"          \
    "smlad r6, r2, r4, r6\n"   \
    "smlad r8, r2, r5, r8\n"

/*
 * Output i of both pixels, whose sums are in registers x and y: doubled for `smmlar`, times 256 for
 * `smmla`. r1 and r4 are where the pixels' outputs go.
 */
#define MCUC_TILE_CLAMPED(multiply, i, x, y)              \
    "ldm r5!, {r0, r2, r3}\n"                   \
    multiply " " x ", " x ", r2, r3\n"          \
    multiply " " y ", " y ", r2, r3\n"          \
    "asr " x ", " x ", r0\n"                    \
    "asr " y ", " y ", r0\n"                    \
    "ssat " x ", #8, " x "\n"                   \
    "ssat " y ", #8, " y "\n"                   \
    "strb " x ", [r1, #" i "]\n"                \
    "strb " y ", [r4, #" i "]\n"

/* Output i of a pixel alone. */
#define MCUC_TILE_SINGLE_CLAMPED(multiply, i, x)          \
    "ldm r5!, {r0, r2, r3}\n"                   \
    multiply " " x ", " x ", r2, r3\n"          \
    "asr " x ", " x ", r0\n"                    \
    "ssat " x ", #8, " x "\n"                   \
    "strb " x ", [r1, #" i "]\n"

/* The same with the sign; the sum is doubled. */
#define MCUC_TILE_SINGLE_LINEAR(i, x)         \
    "ldm r5!, {r0, r2, r3}\n"       \
    "add r3, r3, " x ", asr #31\n"  \
    "smmlar " x ", " x ", r2, r3\n" \
    "asr " x ", " x ", r0\n"        \
    "ssat " x ", #8, " x "\n"       \
    "strb " x ", [r1, #" i "]\n"

/* Outputs of two pixels with the sign; the sums are doubled. r4 is in use, and loaded anew. */
#define MCUC_TILE_LINEAR(i, x, y)             \
    "ldm r5!, {r0, r2, r3}\n"       \
    "add r4, r3, " x ", asr #31\n"  \
    "add r3, r3, " y ", asr #31\n"  \
    "smmlar " x ", " x ", r2, r4\n" \
    "smmlar " y ", " y ", r2, r3\n" \
    "asr " x ", " x ", r0\n"        \
    "asr " y ", " y ", r0\n"        \
    "ldr r4, [sp, #52]\n"           \
    "ssat " x ", #8, " x "\n"       \
    "ssat " y ", #8, " y "\n"       \
    "strb " x ", [r1, #" i "]\n"    \
    "add r4, r4, r1\n"              \
    "strb " y ", [r4, #" i "]\n"

/* clang-format on */

/*
 * Tiles of 2 pixels x 4 outputs from `channels` to `channels_end`. `entry` is where the first round
 * of eight pairs is entered, in bytes from two bytes before it, so that any number of pairs will
 * do. The second pixel is written `step` bytes behind the first.
 */
__attribute__((naked, noinline, noipa)) static void mcuc_tile_run(
    const uint32_t *columns __attribute__((unused)), const uint32_t *filter __attribute__((unused)),
    const int32_t *channels __attribute__((unused)), int8_t *output __attribute__((unused)),
    int32_t step __attribute__((unused)), int32_t entry __attribute__((unused)),
    const int32_t *channels_end __attribute__((unused)),
    const uint32_t *columns_end __attribute__((unused)), int32_t is_linear __attribute__((unused)))
{
    /* sp: columns, filter, channels, output, r4..r11, lr, then the arguments from step on. */
    /* clang-format off */
    __asm__ volatile(
        "push {r0-r11, lr}\n"
        "mov r0, r1\n"
        "mov r5, r2\n"
        "1:\n"
        "ldr r1, [sp, #0]\n"
        "ldm r5, {r10, r11, r12, lr}\n"
        "ldm r5!, {r6-r9}\n"
        "str r5, [sp, #8]\n"
        "ldr r2, [sp, #56]\n"
        "add pc, r2\n"
        "2:\n"
        MCUC_TILE_PAIR MCUC_TILE_PAIR MCUC_TILE_PAIR MCUC_TILE_PAIR MCUC_TILE_PAIR MCUC_TILE_PAIR MCUC_TILE_PAIR MCUC_TILE_PAIR
        "ldr r2, [sp, #64]\n"
        "cmp r1, r2\n"
        "bne 2b\n"
        "str r0, [sp, #4]\n"
        "ldr r5, [sp, #8]\n"
        "ldr r1, [sp, #12]\n"
        "sub r7, r7, r6\n"
        "sub r11, r11, r10\n"
        "sub r9, r9, r8\n"
        "sub lr, lr, r12\n"
        "lsl r6, r6, #1\n"
        "lsl r10, r10, #1\n"
        "lsl r8, r8, #1\n"
        "lsl r12, r12, #1\n"
        "ldr r2, [sp, #68]\n"
        "cmp r2, #0\n"
        "bne 4f\n"
        "ldr r4, [sp, #52]\n"
        "add r4, r4, r1\n"
        MCUC_TILE_CLAMPED("smmlar", "0", "r6", "r10")
        MCUC_TILE_CLAMPED("smmla", "1", "r7", "r11")
        MCUC_TILE_CLAMPED("smmlar", "2", "r8", "r12")
        MCUC_TILE_CLAMPED("smmla", "3", "r9", "lr")
        "3:\n"
        "ldr r0, [sp, #4]\n"
        "adds r1, #4\n"
        "str r1, [sp, #12]\n"
        "ldr r2, [sp, #60]\n"
        "cmp r5, r2\n"
        "bne 1b\n"
        "add sp, #16\n"
        "pop {r4-r11, pc}\n"
        "4:\n"
        "asr r7, r7, #7\n"
        "asr r11, r11, #7\n"
        "asr r9, r9, #7\n"
        "asr lr, lr, #7\n"
        MCUC_TILE_LINEAR("0", "r6", "r10")
        MCUC_TILE_LINEAR("1", "r7", "r11")
        MCUC_TILE_LINEAR("2", "r8", "r12")
        MCUC_TILE_LINEAR("3", "r9", "lr")
        "b 3b\n");
    /* clang-format on */
}

/*
 * Tiles of 1 pixel x 4 outputs, from the same columns, of which the first pixel's half is read.
 * Arguments are those of `mcuc_tile_run`; rounds are of four pairs, and there is no step.
 */
__attribute__((naked, noinline, noipa)) static void mcuc_tile_run_single(
    const uint32_t *columns __attribute__((unused)), const uint32_t *filter __attribute__((unused)),
    const int32_t *channels __attribute__((unused)), int8_t *output __attribute__((unused)),
    int32_t step __attribute__((unused)), int32_t entry __attribute__((unused)),
    const int32_t *channels_end __attribute__((unused)),
    const uint32_t *columns_end __attribute__((unused)), int32_t is_linear __attribute__((unused)))
{
    /* The stack is that of `mcuc_tile_run`. */
    /* clang-format off */
    __asm__ volatile(
        "push {r0-r11, lr}\n"
        "mov r0, r1\n"
        "mov r5, r2\n"
        "1:\n"
        "ldr r1, [sp, #0]\n"
        "ldm r5!, {r6-r9}\n"
        "str r5, [sp, #8]\n"
        "ldr r10, [sp, #64]\n"
        "ldr r2, [sp, #56]\n"
        "add pc, r2\n"
        "2:\n"
        MCUC_TILE_SINGLE_PAIR MCUC_TILE_SINGLE_PAIR MCUC_TILE_SINGLE_PAIR MCUC_TILE_SINGLE_PAIR
        "cmp r1, r10\n"
        "bne 2b\n"
        "str r0, [sp, #4]\n"
        "ldr r5, [sp, #8]\n"
        "ldr r1, [sp, #12]\n"
        "sub r7, r7, r6\n"
        "sub r9, r9, r8\n"
        "lsl r6, r6, #1\n"
        "lsl r8, r8, #1\n"
        "ldr r2, [sp, #68]\n"
        "cmp r2, #0\n"
        "bne 4f\n"
        MCUC_TILE_SINGLE_CLAMPED("smmlar", "0", "r6")
        MCUC_TILE_SINGLE_CLAMPED("smmla", "1", "r7")
        MCUC_TILE_SINGLE_CLAMPED("smmlar", "2", "r8")
        MCUC_TILE_SINGLE_CLAMPED("smmla", "3", "r9")
        "3:\n"
        "ldr r0, [sp, #4]\n"
        "adds r1, #4\n"
        "str r1, [sp, #12]\n"
        "ldr r2, [sp, #60]\n"
        "cmp r5, r2\n"
        "bne 1b\n"
        "add sp, #16\n"
        "pop {r4-r11, pc}\n"
        "4:\n"
        "asr r7, r7, #7\n"
        "asr r9, r9, #7\n"
        MCUC_TILE_SINGLE_LINEAR("0", "r6")
        MCUC_TILE_SINGLE_LINEAR("1", "r7")
        MCUC_TILE_SINGLE_LINEAR("2", "r8")
        MCUC_TILE_SINGLE_LINEAR("3", "r9")
        "b 3b\n");
    /* clang-format on */
}

/* Rows of two windows, side by side, as int16 pairs. Returns where they end. */
static inline uint32_t *mcuc_tile_widen(uint32_t *columns, const int8_t *a, const int8_t *b,
                                        int32_t words)
{
    do {
        uint32_t a4 = mcuc_load4(a);
        uint32_t b4 = mcuc_load4(b);
        a += 4;
        b += 4;
        columns[0] = mcuc_widen_even(a4);
        columns[1] = mcuc_widen_even(b4);
        columns[2] = mcuc_widen_odd(a4);
        columns[3] = mcuc_widen_odd(b4);
        columns += 4;
    } while (--words > 0);
    return columns;
}

/* Four bytes at a time, wherever they are. */
static inline void mcuc_tile_copy(int8_t *to, const int8_t *from, int32_t count)
{
    for (; count >= 4; count -= 4) {
        uint32_t word = mcuc_load4(from);
        (void)memcpy(to, &word, sizeof word);
        from += 4;
        to += 4;
    }
    mcuc_copy_few(to, from, count);
}

/* `mcuc_tile_run`, or `mcuc_tile_run_single` */
typedef void mcuc_tile_function(const uint32_t *columns, const uint32_t *filter,
                                const int32_t *channels, int8_t *output, int32_t step,
                                int32_t entry, const int32_t *channels_end,
                                const uint32_t *columns_end, int32_t is_linear);

/* What a layer's tiles share, as mcuc/conv_2d_s8__dsp.h has it. */
typedef struct {
    const uint32_t *filter;
    const int32_t *channels;
    int32_t out_channels;
    int32_t is_linear;
} mcuc_tile_layer;

/* The outputs that four leave over, of the pixels that `run` is for; `entry` is where it begins. */
static MCUC_NOINLINE void mcuc_tile_compute_rest(mcuc_tile_function *run, const mcuc_tile_layer *p,
                                                 const uint32_t *columns, int32_t pairs,
                                                 int32_t entry, int8_t *output)
{
    int32_t rest = p->out_channels % MCUC_TILE_OUTPUTS;
    int32_t whole = p->out_channels / MCUC_TILE_OUTPUTS;
    const int32_t *channels = p->channels + whole * MCUC_TILE_CHANNEL_WORDS;
    int8_t tile[MCUC_TILE_PIXELS * MCUC_TILE_OUTPUTS];

    run(columns, p->filter + whole * pairs * 2, channels, tile, MCUC_TILE_OUTPUTS, entry,
        channels + MCUC_TILE_CHANNEL_WORDS, columns + MCUC_TILE_PIXELS * pairs, p->is_linear);
    output += whole * MCUC_TILE_OUTPUTS;
    mcuc_copy_few(output, tile, rest);
    if (run == mcuc_tile_run) {
        mcuc_copy_few(output + p->out_channels, tile + MCUC_TILE_OUTPUTS, rest);
    }
}

/* All outputs of two pixels side by side from their columns, or of one, which is both halves of the
 * columns. */
static inline void mcuc_tile_compute(const mcuc_tile_layer *p, const uint32_t *columns,
                                     int32_t pairs, int32_t pixels, int8_t *output)
{
    const int32_t is_single = pixels == 1;
    mcuc_tile_function *const run = is_single ? mcuc_tile_run_single : mcuc_tile_run;
    int32_t round = is_single ? MCUC_TILE_SINGLE_PAIRS_A_ROUND : MCUC_TILE_PAIRS_A_ROUND;
    int32_t code = is_single ? MCUC_TILE_SINGLE_PAIR_CODE_BYTES : MCUC_TILE_PAIR_CODE_BYTES;
    int32_t entry = ((0 - pairs) & (round - 1)) * code - 2;
    int32_t whole = p->out_channels / MCUC_TILE_OUTPUTS;

    if (whole > 0) {
        run(columns, p->filter, p->channels, output, p->out_channels, entry,
            p->channels + whole * MCUC_TILE_CHANNEL_WORDS, columns + MCUC_TILE_PIXELS * pairs,
            p->is_linear);
    }
    if (p->out_channels % MCUC_TILE_OUTPUTS > 0) {
        mcuc_tile_compute_rest(run, p, columns, pairs, entry, output);
    }
}

#endif
