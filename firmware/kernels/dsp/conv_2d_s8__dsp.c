/*
 * mcuc_conv_2d_s8__dsp: see mcuc/conv_2d_s8__dsp.h.
 *
 * The windows of two pixels are widened into columns of int16 pairs, side by side; a tile of two
 * pixels and four outputs then runs over them with eight sums in registers. Borders of the image
 * are a matter of the widening alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_s8__dsp.h"

#include "mcuc_dsp.h"
#include "mcuc_math.h"

typedef mcuc_conv_2d_s8__dsp_params params;

enum { OUTPUTS = 4, PIXELS = 2, CHANNEL_WORDS = 16, PAIRS_A_ROUND = 8, PAIR_CODE_BYTES = 48 };

/* clang-format off */
/*
 * One pair of terms: 16 products. r0 walks along the weights, r1 along the columns. The raw word of
 * weights adds 256 b + a to the sum of b (d), its low bytes add a (c) to that of a (c).
 */
#define PAIR                   \
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

/*
 * Output i of both pixels, whose sums are in registers x and y: doubled for `smmlar`, times 256 for
 * `smmla`. r1 and r4 are where the pixels' outputs go.
 */
#define CLAMPED(multiply, i, x, y)              \
    "ldm r5!, {r0, r2, r3}\n"                   \
    multiply " " x ", " x ", r2, r3\n"          \
    multiply " " y ", " y ", r2, r3\n"          \
    "asr " x ", " x ", r0\n"                    \
    "asr " y ", " y ", r0\n"                    \
    "ssat " x ", #8, " x "\n"                   \
    "ssat " y ", #8, " y "\n"                   \
    "strb " x ", [r1, #" i "]\n"                \
    "strb " y ", [r4, #" i "]\n"

/* The same with the sign; the sums are doubled. r4 is in use, and loaded anew. */
#define LINEAR(i, x, y)             \
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
__attribute__((naked, noinline, noipa)) static void run_tiles(
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
        PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR
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
        CLAMPED("smmlar", "0", "r6", "r10")
        CLAMPED("smmla", "1", "r7", "r11")
        CLAMPED("smmlar", "2", "r8", "r12")
        CLAMPED("smmla", "3", "r9", "lr")
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
        LINEAR("0", "r6", "r10")
        LINEAR("1", "r7", "r11")
        LINEAR("2", "r8", "r12")
        LINEAR("3", "r9", "lr")
        "b 3b\n");
    /* clang-format on */
}

/* What all pixels of a layer share. */
typedef struct {
    int32_t row_bytes; /* of a window */
    int32_t row_words; /* of it in the columns, four terms each */
    int32_t slack;     /* pixels that must follow a row, for whole words to be inside the image */
    int32_t image_row;
    int32_t last_y; /* below these, and not below 0, a window is inside the image */
    int32_t last_x;
    int32_t next_column; /* from a window to the next, in bytes; what is more for a new row */
    int32_t next_row;
    int32_t next_image;
    const int8_t *input;
    int8_t *edges; /* two rows of a window, for borders */
} window;

/* Where a pixel's window starts: in the input, in bytes, and in its image. */
typedef struct {
    int32_t offset;
    int32_t y;
    int32_t x;
} origin;

/* Rows of two windows, side by side, as int16 pairs. Returns where they end. */
static inline uint32_t *widen(uint32_t *columns, const int8_t *a, const int8_t *b, int32_t words)
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

static inline int32_t is_row_inside(const window *w, const origin *o)
{
    return o->x >= 0 && o->x <= w->last_x;
}

static inline int32_t is_inside(const window *w, const origin *o)
{
    return o->y >= 0 && o->y <= w->last_y && is_row_inside(w, o);
}

static void copy(int8_t *to, const int8_t *from, int32_t count)
{
    for (; count >= 4; count -= 4) {
        uint32_t word = mcuc_load4(from);
        (void)memcpy(to, &word, sizeof word);
        from += 4;
        to += 4;
    }
    for (; count > 0; count--) {
        *to++ = *from++;
    }
}

/* Row `y` of the image from column x of a window on: in the image, or made up in `edge`. */
static const int8_t *border_row(const params *p, const window *w, const origin *o, int32_t y,
                                int8_t *edge)
{
    /* Row and column 0 of the image are inside the input; where a window starts may not be. */
    int32_t image = o->offset - o->y * w->image_row - o->x * p->in_channels;
    int32_t is_above_or_below = y < 0 || y >= p->in_height;
    int32_t begin = o->x < 0 ? -o->x : 0;
    int32_t end = p->in_width - o->x;
    const uint32_t fill = (uint8_t)p->in_zero_point * 0x01010101u;

    if (!is_above_or_below && is_row_inside(w, o)) {
        return w->input + image + y * w->image_row + o->x * p->in_channels;
    }
    for (int32_t i = 0; i < w->row_words; i++) {
        (void)memcpy(edge + 4 * i, &fill, sizeof fill);
    }
    end = end < p->filter_width ? end : p->filter_width;
    if (!is_above_or_below && begin < end) {
        copy(edge + begin * p->in_channels,
             w->input + image + y * w->image_row + (o->x + begin) * p->in_channels,
             (end - begin) * p->in_channels);
    }
    return edge;
}

static MCUC_NOINLINE void gather_at_border(const params *p, const window *w, const origin *a,
                                           const origin *b, uint32_t *columns)
{
    int32_t y = 0;
    for (int32_t row = 0; row < p->filter_height; row++) {
        const int8_t *a_row = border_row(p, w, a, a->y + y, w->edges);
        const int8_t *b_row = border_row(p, w, b, b->y + y, w->edges + 4 * w->row_words);
        columns = widen(columns, a_row, b_row, w->row_words);
        y += p->dilation_h;
    }
}

static inline void gather(const params *p, const window *w, const origin *a, const origin *b,
                          uint32_t *columns)
{
    if (!is_inside(w, a) || !is_inside(w, b)) {
        gather_at_border(p, w, a, b, columns);
        return;
    }
    const int8_t *a_row = w->input + a->offset;
    const int8_t *b_row = w->input + b->offset;
    int32_t row = p->filter_height;
    int32_t step = p->dilation_h * w->image_row;
    for (;;) {
        columns = widen(columns, a_row, b_row, w->row_words);
        if (--row == 0) {
            break;
        }
        a_row += step;
        b_row += step;
    }
}

/* All outputs of two pixels from their columns; the second is written `step` behind the first. */
static inline void compute(const params *p, const uint32_t *columns, int32_t pairs, int8_t *output,
                           int32_t step)
{
    int32_t entry = ((0 - pairs) & (PAIRS_A_ROUND - 1)) * PAIR_CODE_BYTES - 2;
    int32_t whole = p->out_channels / OUTPUTS;
    int32_t rest = p->out_channels % OUTPUTS;
    const int32_t *channels_end = p->channels + whole * CHANNEL_WORDS;
    const uint32_t *columns_end = columns + PIXELS * pairs;

    if (whole > 0) {
        run_tiles(columns, p->filter, p->channels, output, step, entry, channels_end, columns_end,
                  p->is_linear);
    }
    if (rest > 0) {
        int8_t tile[PIXELS * OUTPUTS];
        run_tiles(columns, p->filter + whole * pairs * 2, channels_end, tile, OUTPUTS, entry,
                  channels_end + CHANNEL_WORDS, columns_end, p->is_linear);
        output += whole * OUTPUTS;
        for (int32_t i = 0; i < rest; i++) {
            output[i] = tile[i];
            output[step + i] = tile[step > 0 ? OUTPUTS + i : i];
        }
    }
}

/* Whether the windows of pixels are the pixels themselves, and whole words. */
static inline int32_t is_pointwise(const params *p, const window *w)
{
    return p->filter_height * p->filter_width * p->stride_h * p->stride_w == 1 &&
           p->pad_top + p->pad_left == 0 && p->in_width == p->out_width &&
           p->in_height == p->out_height && w->slack == 0;
}

/* A layer for each pixel by itself: nothing has to be looked up. */
static void run_pointwise(const params *p, const window *w, const int8_t *input, int8_t *output,
                          uint32_t *columns)
{
    int32_t left = p->batches * p->out_height * p->out_width;
    int32_t in_channels = p->in_channels;
    int32_t out_channels = p->out_channels;
    int32_t words = w->row_words;

    for (; left >= PIXELS; left -= PIXELS) {
        (void)widen(columns, input, input + in_channels, words);
        compute(p, columns, 2 * words, output, out_channels);
        input += PIXELS * in_channels;
        output += PIXELS * out_channels;
    }
    if (left > 0) {
        (void)widen(columns, input, input, words);
        compute(p, columns, 2 * words, output, 0);
    }
}

/* Any other layer: windows in raster order, two at a time. */
static void run_windows(const params *p, const window *w, int8_t *output, uint32_t *columns)
{
    int32_t pairs = 2 * p->filter_height * w->row_words;
    int32_t row = p->out_height;
    int32_t col = p->out_width;
    int32_t left = p->batches * row * col;
    const int32_t first_y = -(int32_t)p->pad_top;
    const int32_t first_x = -(int32_t)p->pad_left;
    origin next = {first_y * w->image_row + first_x * p->in_channels, first_y, first_x};
    origin at[PIXELS];

    while (left > 0) {
        int32_t pixels = left < PIXELS ? left : PIXELS;
        for (int32_t i = 0; i < pixels; i++) {
            at[i] = next;
            next.x += p->stride_w;
            next.offset += w->next_column;
            if (--col == 0) {
                col = p->out_width;
                next.x = first_x;
                next.y += p->stride_h;
                next.offset += w->next_row;
                if (--row == 0) {
                    row = p->out_height;
                    next.y = first_y;
                    next.offset += w->next_image;
                }
            }
        }
        if (pixels < PIXELS) {
            at[1] = at[0];
        }
        gather(p, w, &at[0], &at[1], columns);
        compute(p, columns, pairs, output, pixels < PIXELS ? 0 : p->out_channels);
        output += pixels * p->out_channels;
        left -= pixels;
    }
}

void mcuc_conv_2d_s8__dsp(const mcuc_conv_2d_s8__dsp_params *p, const int8_t *input, int8_t *output,
                          void *scratch)
{
    uint32_t *columns = (uint32_t *)scratch;
    window w;

    w.row_bytes = p->filter_width * p->in_channels;
    w.row_words = (w.row_bytes + 3) / 4;
    w.slack = w.row_bytes % 4 != 0 ? 3 : 0;
    w.image_row = p->in_width * p->in_channels;
    w.last_y = p->in_height - (p->filter_height - 1) * p->dilation_h - 1;
    w.last_x = p->in_width - p->filter_width - w.slack;
    w.next_column = p->stride_w * p->in_channels;
    w.next_row = p->stride_h * w.image_row - p->out_width * w.next_column;
    w.next_image = (p->in_height - p->out_height * p->stride_h) * w.image_row;
    w.input = input;
    w.edges = (int8_t *)(columns + 4 * p->filter_height * w.row_words);
    if (is_pointwise(p, &w)) {
        run_pointwise(p, &w, input, output, columns);
    } else {
        run_windows(p, &w, output, columns);
    }
}
