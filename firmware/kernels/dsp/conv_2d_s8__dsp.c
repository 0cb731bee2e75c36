/*
 * mcuc_conv_2d_s8__dsp: see mcuc/conv_2d_s8__dsp.h.
 *
 * The windows of two pixels are widened into columns (mcuc_dsp_tile.h). Borders of the image are a
 * matter of the widening alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_s8__dsp.h"

#include "mcuc_dsp_tile.h"

typedef mcuc_conv_2d_s8__dsp_params params;

enum { PIXELS = MCUC_TILE_PIXELS };

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

static inline int32_t is_row_inside(const window *w, const origin *o)
{
    return o->x >= 0 && o->x <= w->last_x;
}

static inline int32_t is_inside(const window *w, const origin *o)
{
    return o->y >= 0 && o->y <= w->last_y && is_row_inside(w, o);
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
        mcuc_tile_copy(edge + begin * p->in_channels,
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
        columns = mcuc_tile_widen(columns, a_row, b_row, w->row_words);
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
        columns = mcuc_tile_widen(columns, a_row, b_row, w->row_words);
        if (--row == 0) {
            break;
        }
        a_row += step;
        b_row += step;
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
    const mcuc_tile_layer layer = {p->filter, p->channels, p->out_channels, p->is_linear};
    int32_t left = p->batches * p->out_height * p->out_width;
    int32_t in_channels = p->in_channels;
    int32_t out_channels = p->out_channels;
    int32_t words = w->row_words;

    for (; left >= PIXELS; left -= PIXELS) {
        (void)mcuc_tile_widen(columns, input, input + in_channels, words);
        mcuc_tile_compute(&layer, columns, 2 * words, PIXELS, output);
        input += PIXELS * in_channels;
        output += PIXELS * out_channels;
    }
    if (left > 0) {
        (void)mcuc_tile_widen(columns, input, input, words);
        mcuc_tile_compute(&layer, columns, 2 * words, 1, output);
    }
}

/* Any other layer: windows in raster order, two at a time. */
static void run_windows(const params *p, const window *w, int8_t *output, uint32_t *columns)
{
    const mcuc_tile_layer layer = {p->filter, p->channels, p->out_channels, p->is_linear};
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
        mcuc_tile_compute(&layer, columns, pairs, pixels, output);
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
