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
    int8_t *edges; /* two rows of a window, for borders */
} window;

/* Where a pixel's window starts in its image. */
typedef struct {
    const int8_t *image;
    int32_t y;
    int32_t x;
} origin;

static inline int32_t is_row_inside(const params *p, const window *w, const origin *o)
{
    return o->x >= 0 && o->x + p->filter_width + w->slack <= p->in_width;
}

static inline int32_t is_inside(const params *p, const window *w, const origin *o)
{
    return o->y >= 0 && o->y + (p->filter_height - 1) * p->dilation_h < p->in_height &&
           is_row_inside(p, w, o);
}

/* Row `y` of a window that starts at column x: in the image, or made up in `edge`. */
static const int8_t *border_row(const params *p, const window *w, const origin *o, int32_t y,
                                int8_t *edge)
{
    const int8_t *row = o->image + y * w->image_row;
    int32_t is_above_or_below = y < 0 || y >= p->in_height;
    int32_t begin = o->x < 0 ? -o->x : 0;
    int32_t end = p->in_width - o->x;
    const uint32_t fill = (uint8_t)p->in_zero_point * 0x01010101u;

    if (!is_above_or_below && is_row_inside(p, w, o)) {
        return row + o->x * p->in_channels;
    }
    for (int32_t i = 0; i < w->row_words; i++) {
        (void)memcpy(edge + 4 * i, &fill, sizeof fill);
    }
    end = end < p->filter_width ? end : p->filter_width;
    if (!is_above_or_below && begin < end) {
        mcuc_tile_copy(edge + begin * p->in_channels, row + (o->x + begin) * p->in_channels,
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
    if (!is_inside(p, w, a) || !is_inside(p, w, b)) {
        gather_at_border(p, w, a, b, columns);
        return;
    }
    const int8_t *a_row = a->image + a->y * w->image_row + a->x * p->in_channels;
    const int8_t *b_row = b->image + b->y * w->image_row + b->x * p->in_channels;
    int32_t row = p->filter_height;
    for (;;) {
        columns = mcuc_tile_widen(columns, a_row, b_row, w->row_words);
        if (--row == 0) {
            break;
        }
        a_row += p->dilation_h * w->image_row;
        b_row += p->dilation_h * w->image_row;
    }
}

void mcuc_conv_2d_s8__dsp(const mcuc_conv_2d_s8__dsp_params *p, const int8_t *input, int8_t *output,
                          void *scratch)
{
    const mcuc_tile_layer layer = {p->filter, p->channels, p->out_channels, p->is_linear};
    uint32_t *columns = (uint32_t *)scratch;
    window w;
    int32_t row = p->out_height;
    int32_t col = p->out_width;
    int32_t left = p->batches * row * col;
    origin at[PIXELS] = {{input, -(int32_t)p->pad_top, -(int32_t)p->pad_left}, {NULL, 0, 0}};

    w.row_bytes = p->filter_width * p->in_channels;
    w.row_words = (w.row_bytes + 3) / 4;
    w.slack = w.row_bytes % 4 != 0 ? 3 : 0;
    w.image_row = p->in_width * p->in_channels;
    w.edges = (int8_t *)(columns + 4 * p->filter_height * w.row_words);
    int32_t pairs = 2 * p->filter_height * w.row_words;

    while (left > 0) {
        origin next = at[0];
        int32_t pixels = left < PIXELS ? left : PIXELS;
        for (int32_t i = 0; i < pixels; i++) {
            at[i] = next;
            next.x += p->stride_w;
            if (--col == 0) {
                col = p->out_width;
                next.x = -(int32_t)p->pad_left;
                next.y += p->stride_h;
                if (--row == 0) {
                    row = p->out_height;
                    next.y = -(int32_t)p->pad_top;
                    next.image += p->in_height * w.image_row;
                }
            }
        }
        if (pixels < PIXELS) {
            at[1] = at[0];
        }
        gather(p, &w, &at[0], &at[1], columns);
        mcuc_tile_compute(&layer, columns, pairs, output, pixels < PIXELS ? 0 : p->out_channels);
        at[0] = next;
        output += pixels * p->out_channels;
        left -= pixels;
    }
}
