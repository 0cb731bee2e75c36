/*
 * mcuc_conv_2d_s8__dsp_rows: see mcuc/conv_2d_s8__dsp_rows.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/conv_2d_s8__dsp_rows.h"

#include "mcuc_dsp_tile.h"

typedef mcuc_conv_2d_s8__dsp_rows_params params;

enum { PIXELS = MCUC_TILE_PIXELS };

/* What all pixels of a row share. */
typedef struct {
    int32_t row_words; /* of a window's row in the columns, four terms each */
    int32_t last_x;    /* the last column at which whole words are inside the row */
    int8_t *edges;     /* two rows of a window, for borders */
} window;

/* The part of an input row that is under the filter at column x: there, or made up in `edge`. */
static inline const int8_t *part_of(const params *p, const window *w, const int8_t *row, int32_t x,
                                    int8_t *edge)
{
    if (x >= 0 && x <= w->last_x) {
        return row + x * p->in_channels;
    }
    int32_t begin = x < 0 ? -x : 0;
    int32_t end = p->in_width - x < p->filter_width ? p->in_width - x : p->filter_width;
    const uint32_t fill = (uint8_t)p->in_zero_point * 0x01010101u;
    for (int32_t i = 0; i < w->row_words; i++) {
        (void)memcpy(edge + 4 * i, &fill, sizeof fill);
    }
    if (begin < end) {
        mcuc_tile_copy(edge + begin * p->in_channels, row + (x + begin) * p->in_channels,
                       (end - begin) * p->in_channels);
    }
    return edge;
}

void mcuc_conv_2d_s8__dsp_rows(const mcuc_conv_2d_s8__dsp_rows_params *p, const void *const *rows,
                               void *output, void *scratch)
{
    const mcuc_tile_layer layer = {p->filter, p->channels, p->out_channels, p->is_linear};
    uint32_t *columns = (uint32_t *)scratch;
    int8_t *to = (int8_t *)output;
    int32_t row_bytes = p->filter_width * p->in_channels;
    int32_t x = -(int32_t)p->pad_left;
    int32_t pixels;
    window w;

    w.row_words = (row_bytes + 3) / 4;
    w.last_x = p->in_width - p->filter_width - (row_bytes % 4 != 0 ? 3 : 0);
    w.edges = (int8_t *)(columns + 4 * p->filter_height * w.row_words);
    int32_t pairs = 2 * p->filter_height * w.row_words;

    for (int32_t left = p->out_width; left > 0; left -= pixels) {
        pixels = left < PIXELS ? left : PIXELS;
        int32_t next = pixels < PIXELS ? x : x + p->stride_w;
        uint32_t *column = columns;
        for (int32_t ky = 0; ky < p->filter_height; ky++) {
            const int8_t *row = (const int8_t *)rows[ky];
            const int8_t *a = part_of(p, &w, row, x, w.edges);
            const int8_t *b = part_of(p, &w, row, next, w.edges + 4 * w.row_words);
            column = mcuc_tile_widen(column, a, b, w.row_words);
        }
        mcuc_tile_compute(&layer, columns, pairs, pixels, to);
        x = next + p->stride_w;
        to += pixels * p->out_channels;
    }
}
