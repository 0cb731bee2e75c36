/*
 * mcuc_dot.h: the inner loops of convolutions and fully connected layers.
 *
 * Weights of four outputs are interleaved: w[4 k + i] is weight k of output i.
 * One loaded input value then meets four weights, and one loaded weight meets
 * as many pixels as the loop holds.
 *
 * Sums start at zero and hold at most MCUC_DOT_TERMS_MAX products of int8, so
 * that int32 cannot overflow; the bias is added afterwards, modulo 2^32.
 * Signed sums matter: a compiler may reorder unsigned ones, and then runs out
 * of registers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DOT_H
#define MCUC_DOT_H

#include "mcuc_math.h"

/* Products of two int8 are at most 2^14: this many stay below 2^31. */
#define MCUC_DOT_TERMS_MAX 131071

/* Step k of mcuc_dot_1x4. */
#define MCUC_DOT_STEP_1X4(k)    \
    do {                        \
        int32_t vx = x[k];      \
        a0 += vx * w[4 * (k)];     \
        a1 += vx * w[4 * (k) + 1]; \
        a2 += vx * w[4 * (k) + 2]; \
        a3 += vx * w[4 * (k) + 3]; \
    } while (0)

/* acc[i] += sum of x[k] w[4 k + i] over k < n, for i < 4. */
static MCUC_NOINLINE void mcuc_dot_1x4(const int8_t *x, const int8_t *w, int32_t n, int32_t *acc)
{
    int32_t a0 = acc[0];
    int32_t a1 = acc[1];
    int32_t a2 = acc[2];
    int32_t a3 = acc[3];
    const int8_t *end = x + n;

    for (const int8_t *last = end - 3; x < last; x += 4, w += 16) {
        MCUC_DOT_STEP_1X4(0);
        MCUC_DOT_STEP_1X4(1);
        MCUC_DOT_STEP_1X4(2);
        MCUC_DOT_STEP_1X4(3);
    }
    for (; x != end; x += 1, w += 4) {
        MCUC_DOT_STEP_1X4(0);
    }
    acc[0] = a0;
    acc[1] = a1;
    acc[2] = a2;
    acc[3] = a3;
}

/* Step k of mcuc_dot_2x4. */
#define MCUC_DOT_STEP_2X4(k)       \
    do {                           \
        int32_t vx = x[k];         \
        int32_t vy = y[k];         \
        int32_t v = w[4 * (k)];    \
        a0 += vx * v;              \
        b0 += vy * v;              \
        v = w[4 * (k) + 1];        \
        a1 += vx * v;              \
        b1 += vy * v;              \
        v = w[4 * (k) + 2];        \
        a2 += vx * v;              \
        b2 += vy * v;              \
        v = w[4 * (k) + 3];        \
        a3 += vx * v;              \
        b3 += vy * v;              \
    } while (0)

/* acc[i] += sum of x[k] w[4 k + i], acc[4 + i] += sum of y[k] w[4 k + i], over k < n, for i < 4. */
static MCUC_NOINLINE void mcuc_dot_2x4(const int8_t *x, const int8_t *y, const int8_t *w,
                                       int32_t n, int32_t *acc)
{
    int32_t a0 = acc[0];
    int32_t a1 = acc[1];
    int32_t a2 = acc[2];
    int32_t a3 = acc[3];
    int32_t b0 = acc[4];
    int32_t b1 = acc[5];
    int32_t b2 = acc[6];
    int32_t b3 = acc[7];
    const int8_t *end = x + n;

    for (const int8_t *last = x + (n & ~3); x != last; x += 4, y += 4, w += 16) {
        MCUC_DOT_STEP_2X4(0);
        MCUC_DOT_STEP_2X4(1);
        MCUC_DOT_STEP_2X4(2);
        MCUC_DOT_STEP_2X4(3);
    }
    for (; x != end; x += 1, y += 1, w += 4) {
        MCUC_DOT_STEP_2X4(0);
    }
    acc[0] = a0;
    acc[1] = a1;
    acc[2] = a2;
    acc[3] = a3;
    acc[4] = b0;
    acc[5] = b1;
    acc[6] = b2;
    acc[7] = b3;
}

/* acc[i] += sum of x[k] w[lanes k + i] over k < n, for i < lanes: the outputs that four leave over. */
static MCUC_NOINLINE void mcuc_dot_1xn(const int8_t *x, const int8_t *w, int32_t n, int32_t lanes,
                                       int32_t *acc)
{
    for (int32_t i = 0; i < lanes; i++) {
        int32_t sum = 0;
        const int8_t *wi = w + i;
        for (int32_t k = 0; k < n; k++, wi += lanes) {
            sum += x[k] * wi[0];
        }
        acc[i] += sum;
    }
}

/* acc[i] += sum of value w[lanes k + i] over k < n, for i < lanes: a run of one input value. */
static MCUC_NOINLINE void mcuc_dot_constant(int32_t value, const int8_t *w, int32_t n,
                                            int32_t lanes, int32_t *acc)
{
    for (int32_t i = 0; i < lanes; i++) {
        int32_t sum = 0;
        const int8_t *wi = w + i;
        for (int32_t k = 0; k < n; k++, wi += lanes) {
            sum += wi[0];
        }
        acc[i] += value * sum;
    }
}

#endif
