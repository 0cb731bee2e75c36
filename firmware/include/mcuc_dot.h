/*
 * mcuc_dot.h: the inner loops of convolutions and fully connected layers.
 *
 * Weights of four outputs are interleaved: w[4 k + i] is weight k of output i.
 * One loaded input value then meets four weights, and one loaded weight meets
 * one pixel or two.
 *
 * Sums hold at most MCUC_DOT_TERMS_MAX products of int8, so that int32 cannot
 * overflow; the bias is added afterwards, modulo 2^32. Signed sums matter: a
 * compiler may reorder unsigned ones, and then runs out of registers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DOT_H
#define MCUC_DOT_H

#include "mcuc_channels.h"

/* Products of two int8 are at most 2^14: this many stay below 2^31. */
#define MCUC_DOT_TERMS_MAX 131071

/*
 * Which inputs of a pixel enter a sum: rows x cols runs of `length` neighbours. Skips are bytes
 * from the end of a run to the start of the next one of the row (x_col), and what the end of a row
 * adds to that (x_row for inputs; w_row for weights of one output).
 */
typedef struct {
    int32_t rows;
    int32_t cols;
    int32_t length;
    int32_t x_col;
    int32_t x_row;
    int32_t w_row;
} mcuc_runs;

MCUC_SHARED_IF_SMALL void mcuc_dot_1x4(const mcuc_runs *r, const int8_t *x, const int8_t *w,
                                       const int32_t *start, mcuc_sums *sums);
MCUC_SHARED_IF_SMALL void mcuc_dot_2x4(const mcuc_runs *r, const int8_t *x, const int8_t *y,
                                       const int8_t *w, const int32_t *start, mcuc_sums *sums);
MCUC_SHARED_IF_SMALL void mcuc_dot_1xn(const mcuc_runs *r, const int8_t *x, const int8_t *w,
                                       int32_t lanes, const int32_t *start, int32_t *sum);

/* Step k of a run in mcuc_dot_1x4. */
#define MCUC_DOT_STEP_1X4(k)       \
    do {                           \
        int32_t vx = x[k];         \
        a0 += vx * w[4 * (k)];     \
        a1 += vx * w[4 * (k) + 1]; \
        a2 += vx * w[4 * (k) + 2]; \
        a3 += vx * w[4 * (k) + 3]; \
    } while (0)

/* The runs of a row, of which r has the number, the length and what lies between. */
#define MCUC_DOT_ROW_1X4(r)                                 \
    do {                                                    \
        for (int32_t cols = (r)->cols; cols > 0; cols--) {  \
            int32_t left = (r)->length;                     \
            for (; left >= 4; left -= 4, x += 4, w += 16) { \
                MCUC_DOT_STEP_1X4(0);                       \
                MCUC_DOT_STEP_1X4(1);                       \
                MCUC_DOT_STEP_1X4(2);                       \
                MCUC_DOT_STEP_1X4(3);                       \
            }                                               \
            for (; left > 0; left--, x += 1, w += 4) {      \
                MCUC_DOT_STEP_1X4(0);                       \
            }                                               \
            x += (r)->x_col;                                \
        }                                                   \
    } while (0)

/* sums->first[i] = start[i] + sum of x[k] w[4 k + i] over the runs, for i < 4. */
MCUC_SHARED_IF_SMALL void mcuc_dot_1x4(const mcuc_runs *r, const int8_t *x, const int8_t *w,
                                       const int32_t *start, mcuc_sums *sums)
{
    int32_t a0 = start[0];
    int32_t a1 = start[1];
    int32_t a2 = start[2];
    int32_t a3 = start[3];

    for (int32_t rows = r->rows; rows > 0; rows--) {
        MCUC_DOT_ROW_1X4(r);
        x += r->x_row;
        w += 4 * r->w_row;
    }
    sums->first[0] = a0;
    sums->first[1] = a1;
    sums->first[2] = a2;
    sums->first[3] = a3;
}

/* Step k of a run in mcuc_dot_2x4. */
#define MCUC_DOT_STEP_2X4(k)    \
    do {                        \
        int32_t vx = x[k];      \
        int32_t vy = y[k];      \
        int32_t v = w[4 * (k)]; \
        a0 += vx * v;           \
        b0 += vy * v;           \
        v = w[4 * (k) + 1];     \
        a1 += vx * v;           \
        b1 += vy * v;           \
        v = w[4 * (k) + 2];     \
        a2 += vx * v;           \
        b2 += vy * v;           \
        v = w[4 * (k) + 3];     \
        a3 += vx * v;           \
        b3 += vy * v;           \
    } while (0)

/* The same for two pixels. */
#define MCUC_DOT_ROW_2X4(r)                                         \
    do {                                                            \
        for (int32_t cols = (r)->cols; cols > 0; cols--) {          \
            int32_t left = (r)->length;                             \
            for (; left >= 4; left -= 4, x += 4, y += 4, w += 16) { \
                MCUC_DOT_STEP_2X4(0);                               \
                MCUC_DOT_STEP_2X4(1);                               \
                MCUC_DOT_STEP_2X4(2);                               \
                MCUC_DOT_STEP_2X4(3);                               \
            }                                                       \
            for (; left > 0; left--, x += 1, y += 1, w += 4) {      \
                MCUC_DOT_STEP_2X4(0);                               \
            }                                                       \
            x += (r)->x_col;                                        \
            y += (r)->x_col;                                        \
        }                                                           \
    } while (0)

/* The same for two pixels, whose inputs start at x and y; sums->second[i] are those of y. */
MCUC_SHARED_IF_SMALL void mcuc_dot_2x4(const mcuc_runs *r, const int8_t *x, const int8_t *y,
                                       const int8_t *w, const int32_t *start, mcuc_sums *sums)
{
    int32_t a0 = start[0];
    int32_t a1 = start[1];
    int32_t a2 = start[2];
    int32_t a3 = start[3];
    int32_t b0 = a0;
    int32_t b1 = a1;
    int32_t b2 = a2;
    int32_t b3 = a3;

    for (int32_t rows = r->rows; rows > 0; rows--) {
        MCUC_DOT_ROW_2X4(r);
        x += r->x_row;
        y += r->x_row;
        w += 4 * r->w_row;
    }
    sums->first[0] = a0;
    sums->first[1] = a1;
    sums->first[2] = a2;
    sums->first[3] = a3;
    sums->second[0] = b0;
    sums->second[1] = b1;
    sums->second[2] = b2;
    sums->second[3] = b3;
}

/* The outputs that four leave over: sum[i] = start[i] + sum of x[k] w[lanes k + i], i < lanes. */
MCUC_SHARED_IF_SMALL void mcuc_dot_1xn(const mcuc_runs *r, const int8_t *x, const int8_t *w,
                                       int32_t lanes, const int32_t *start, int32_t *sum)
{
    for (int32_t i = 0; i < lanes; i++) {
        const int8_t *xi = x;
        const int8_t *wi = w + i;
        int32_t a = start[i];
        for (int32_t rows = r->rows; rows > 0; rows--) {
            for (int32_t cols = r->cols; cols > 0; cols--) {
                for (int32_t left = r->length; left > 0; left--, xi += 1, wi += lanes) {
                    a += xi[0] * wi[0];
                }
                xi += r->x_col;
            }
            xi += r->x_row;
            wi += lanes * r->w_row;
        }
        sum[i] = a;
    }
}

/* Any of these: `lanes` outputs, of the pixel at x and, where pixels = 2, of that at x + step. */
static inline void mcuc_dot_block(const mcuc_runs *r, const int8_t *x, int32_t step, int32_t pixels,
                                  const int8_t *w, int32_t lanes, const int32_t *start,
                                  mcuc_sums *sums)
{
    if (lanes < 4) {
        mcuc_dot_1xn(r, x, w, lanes, start, sums->first);
        if (pixels == 2) {
            mcuc_dot_1xn(r, x + step, w, lanes, start, sums->second);
        }
    } else if (pixels == 2) {
        mcuc_dot_2x4(r, x, x + step, w, start, sums);
    } else {
        mcuc_dot_1x4(r, x, w, start, sums);
    }
}

#endif
