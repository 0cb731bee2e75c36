/*
 * mcuc_fft.h: the Fourier transform of real numbers, for one kind of scalar.
 *
 * A skeleton: mcuc_fft_s16.h, mcuc_fft_s32.h and mcuc_fft_f32.h define mcuc_scalar and the
 * arithmetic on it, then include this. A kernel defines MCUC_FFT_PARAMS, its parameters' type,
 * before it includes one of them.
 *
 * n real numbers are n / 2 complex ones whose transform is taken apart. That is done in place, in
 * the output: a number goes where the reversed digits of its index say, then each radix in turn
 * combines neighbours. Integers are divided by each radix (and by 2 for the parts), rounded, so
 * that nothing overflows; this and the order of the sums are those of the library KISS FFT, which
 * TensorFlow Lite Micro takes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_FFT_H
#define MCUC_FFT_H

#include "mcuc.h"

typedef struct {
    mcuc_scalar re;
    mcuc_scalar im;
} mcuc_complex;

static inline mcuc_complex mcuc_fft_sum(mcuc_complex a, mcuc_complex b)
{
    mcuc_complex c = {mcuc_add(a.re, b.re), mcuc_add(a.im, b.im)};
    return c;
}

static inline mcuc_complex mcuc_fft_difference(mcuc_complex a, mcuc_complex b)
{
    mcuc_complex c = {mcuc_subtract(a.re, b.re), mcuc_subtract(a.im, b.im)};
    return c;
}

static inline mcuc_complex mcuc_fft_product(mcuc_complex a, mcuc_complex b)
{
    mcuc_complex c = {mcuc_product_difference(a.re, b.re, a.im, b.im),
                      mcuc_product_sum(a.re, b.im, a.im, b.re)};
    return c;
}

static inline mcuc_complex mcuc_fft_divided(mcuc_complex a, int32_t divisor)
{
    mcuc_complex c = {mcuc_divide(a.re, divisor), mcuc_divide(a.im, divisor)};
    return c;
}

static inline mcuc_complex mcuc_fft_conjugate(mcuc_complex a)
{
    mcuc_complex c = {a.re, mcuc_negate(a.im)};
    return c;
}

/* a - i b and a + i b, the other way round for the inverse transform. */
static inline void mcuc_fft_turn(mcuc_complex a, mcuc_complex b, int32_t is_inverse,
                                 mcuc_complex *first, mcuc_complex *second)
{
    mcuc_complex minus = {mcuc_add(a.re, b.im), mcuc_subtract(a.im, b.re)};
    mcuc_complex plus = {mcuc_subtract(a.re, b.im), mcuc_add(a.im, b.re)};
    *first = is_inverse ? plus : minus;
    *second = is_inverse ? minus : plus;
}

/* The twiddle of a step, counted in complex numbers. */
static inline mcuc_complex mcuc_fft_twiddle(const mcuc_scalar *twiddles, int32_t step)
{
    mcuc_complex c = {twiddles[2 * step], twiddles[2 * step + 1]};
    return c;
}

static inline void mcuc_fft_radix_2(mcuc_complex *x, int32_t m, const mcuc_complex *t)
{
    mcuc_complex a = mcuc_fft_divided(x[0], 2);
    mcuc_complex b = mcuc_fft_product(mcuc_fft_divided(x[m], 2), t[1]);

    x[m] = mcuc_fft_difference(a, b);
    x[0] = mcuc_fft_sum(a, b);
}

/* `third` is the twiddle of a third of a turn. */
static inline void mcuc_fft_radix_3(mcuc_complex *x, int32_t m, const mcuc_complex *t,
                                    mcuc_complex third)
{
    mcuc_complex a = mcuc_fft_divided(x[0], 3);
    mcuc_complex b = mcuc_fft_product(mcuc_fft_divided(x[m], 3), t[1]);
    mcuc_complex c = mcuc_fft_product(mcuc_fft_divided(x[2 * m], 3), t[2]);
    mcuc_complex sum = mcuc_fft_sum(b, c);
    mcuc_complex difference = mcuc_fft_difference(b, c);
    mcuc_complex middle = {mcuc_subtract(a.re, mcuc_half(sum.re)),
                           mcuc_subtract(a.im, mcuc_half(sum.im))};
    mcuc_complex side = {mcuc_multiply(difference.re, third.im),
                         mcuc_multiply(difference.im, third.im)};

    x[0] = mcuc_fft_sum(a, sum);
    mcuc_fft_turn(middle, side, 1, &x[m], &x[2 * m]);
}

static inline void mcuc_fft_radix_4(mcuc_complex *x, int32_t m, const mcuc_complex *t,
                                    int32_t is_inverse)
{
    mcuc_complex a = mcuc_fft_divided(x[0], 4);
    mcuc_complex b = mcuc_fft_product(mcuc_fft_divided(x[m], 4), t[1]);
    mcuc_complex c = mcuc_fft_product(mcuc_fft_divided(x[2 * m], 4), t[2]);
    mcuc_complex d = mcuc_fft_product(mcuc_fft_divided(x[3 * m], 4), t[3]);
    mcuc_complex outer = mcuc_fft_difference(a, c);
    mcuc_complex whole = mcuc_fft_sum(a, c);
    mcuc_complex sum = mcuc_fft_sum(b, d);

    x[2 * m] = mcuc_fft_difference(whole, sum);
    x[0] = mcuc_fft_sum(whole, sum);
    mcuc_fft_turn(outer, mcuc_fft_difference(b, d), is_inverse, &x[m], &x[3 * m]);
}

/* a + p s + q t, for real factors. */
static inline mcuc_complex mcuc_fft_mix(mcuc_complex a, mcuc_complex s, mcuc_scalar p,
                                        mcuc_complex t, mcuc_scalar q)
{
    mcuc_complex c = {
        mcuc_add(mcuc_add(a.re, mcuc_multiply(s.re, p)), mcuc_multiply(t.re, q)),
        mcuc_add(mcuc_add(a.im, mcuc_multiply(s.im, p)), mcuc_multiply(t.im, q)),
    };
    return c;
}

/* `one` and `two` are the twiddles of one and two fifths of a turn. */
static inline void mcuc_fft_radix_5(mcuc_complex *x, int32_t m, const mcuc_complex *t,
                                    mcuc_complex one, mcuc_complex two)
{
    mcuc_complex v[5] = {mcuc_fft_divided(x[0], 5)};
    for (int32_t k = 1; k < 5; k++) {
        v[k] = mcuc_fft_product(mcuc_fft_divided(x[k * m], 5), t[k]);
    }
    mcuc_complex outer = mcuc_fft_sum(v[1], v[4]);
    mcuc_complex outer_difference = mcuc_fft_difference(v[1], v[4]);
    mcuc_complex inner = mcuc_fft_sum(v[2], v[3]);
    mcuc_complex inner_difference = mcuc_fft_difference(v[2], v[3]);
    mcuc_complex a = mcuc_fft_mix(v[0], outer, one.re, inner, two.re);
    mcuc_complex b = {mcuc_add(mcuc_multiply(outer_difference.im, one.im),
                               mcuc_multiply(inner_difference.im, two.im)),
                      mcuc_subtract(mcuc_negate(mcuc_multiply(outer_difference.re, one.im)),
                                    mcuc_multiply(inner_difference.re, two.im))};
    mcuc_complex c = mcuc_fft_mix(v[0], outer, two.re, inner, one.re);
    mcuc_complex d = {mcuc_add(mcuc_negate(mcuc_multiply(outer_difference.im, two.im)),
                               mcuc_multiply(inner_difference.im, one.im)),
                      mcuc_subtract(mcuc_multiply(outer_difference.re, two.im),
                                    mcuc_multiply(inner_difference.re, one.im))};

    x[0] = mcuc_fft_sum(v[0], mcuc_fft_sum(outer, inner));
    x[m] = mcuc_fft_difference(a, b);
    x[2 * m] = mcuc_fft_sum(c, d);
    x[3 * m] = mcuc_fft_difference(c, d);
    x[4 * m] = mcuc_fft_sum(a, b);
}

/* Combines `radix` transforms of m numbers each, which lie side by side at x. */
static inline void mcuc_fft_combine(const MCUC_FFT_PARAMS *p, mcuc_complex *x, int32_t radix,
                                    int32_t m, int32_t is_inverse)
{
    int32_t step = p->points / (radix * m);
    mcuc_complex one = mcuc_fft_twiddle(p->twiddles, step * m);
    mcuc_complex two = mcuc_fft_twiddle(p->twiddles, radix > 2 ? 2 * step * m : 0);

    for (int32_t i = 0; i < m; i++) {
        mcuc_complex t[5];
        for (int32_t k = 1; k < radix; k++) {
            t[k] = mcuc_fft_twiddle(p->twiddles, k * i * step);
        }
        if (radix == 2) {
            mcuc_fft_radix_2(x + i, m, t);
        } else if (radix == 3) {
            mcuc_fft_radix_3(x + i, m, t, one);
        } else if (radix == 4) {
            mcuc_fft_radix_4(x + i, m, t, is_inverse);
        } else {
            mcuc_fft_radix_5(x + i, m, t, one, two);
        }
    }
}

/* The transform of p->points complex numbers, which lie in reversed order. */
static inline void mcuc_fft_transform(const MCUC_FFT_PARAMS *p, mcuc_complex *x, int32_t is_inverse)
{
    int32_t m = 1;

    for (int32_t stage = 0; stage < p->stages; stage++) {
        int32_t radix = p->radices[stage];
        for (int32_t start = 0; start < p->points; start += radix * m) {
            mcuc_fft_combine(p, x + start, radix, m, is_inverse);
        }
        m *= radix;
    }
}

/* The spectrum's numbers k and points - k, from those of the transform of pairs. */
static inline void mcuc_fft_part(const MCUC_FFT_PARAMS *p, mcuc_complex *x, int32_t k)
{
    mcuc_complex a = mcuc_fft_divided(x[k], 2);
    mcuc_complex b = mcuc_fft_divided(mcuc_fft_conjugate(x[p->points - k]), 2);
    mcuc_complex sum = mcuc_fft_sum(a, b);
    mcuc_complex turned =
        mcuc_fft_product(mcuc_fft_difference(a, b), mcuc_fft_twiddle(p->part_twiddles, k - 1));

    x[k].re = mcuc_half_sum(sum.re, turned.re);
    x[k].im = mcuc_half_sum(sum.im, turned.im);
    x[p->points - k].re = mcuc_half_difference(sum.re, turned.re);
    x[p->points - k].im = mcuc_half_difference(turned.im, sum.im);
}

/* Rows of p->row_length numbers, zeros up to 2 * p->points, to p->points + 1 complex ones each. */
static inline void mcuc_fft_forward(const MCUC_FFT_PARAMS *p, const mcuc_scalar *input,
                                    mcuc_scalar *output)
{
    mcuc_complex *x = (mcuc_complex *)(void *)output;

    for (int32_t row = 0; row < p->rows; row++) {
        for (int32_t k = 0; k < p->points; k++) {
            mcuc_complex pair = {2 * k < p->row_length ? input[2 * k] : 0,
                                 2 * k + 1 < p->row_length ? input[2 * k + 1] : 0};
            x[p->places[k]] = pair;
        }
        mcuc_fft_transform(p, x, 0);
        mcuc_complex first = mcuc_fft_divided(x[0], 2);
        x[0].re = mcuc_add(first.re, first.im);
        x[0].im = 0;
        x[p->points].re = mcuc_subtract(first.re, first.im);
        x[p->points].im = 0;
        for (int32_t k = 1; k <= p->points / 2; k++) {
            mcuc_fft_part(p, x, k);
        }
        input += p->row_length;
        x += p->points + 1;
    }
}

/* Rows of p->points + 1 complex numbers to 2 * p->points real ones each. */
static inline void mcuc_fft_backward(const MCUC_FFT_PARAMS *p, const mcuc_scalar *input,
                                     mcuc_scalar *output)
{
    const mcuc_complex *y = (const mcuc_complex *)(const void *)input;
    mcuc_complex *x = (mcuc_complex *)(void *)output;

    for (int32_t row = 0; row < p->rows; row++) {
        mcuc_complex first = {mcuc_add(y[0].re, y[p->points].re),
                              mcuc_subtract(y[0].re, y[p->points].re)};
        x[p->places[0]] = mcuc_fft_divided(first, 2);
        for (int32_t k = 1; k <= p->points / 2; k++) {
            mcuc_complex a = mcuc_fft_divided(y[k], 2);
            mcuc_complex b = mcuc_fft_divided(mcuc_fft_conjugate(y[p->points - k]), 2);
            mcuc_complex sum = mcuc_fft_sum(a, b);
            mcuc_complex turned = mcuc_fft_product(mcuc_fft_difference(a, b),
                                                   mcuc_fft_twiddle(p->part_twiddles, k - 1));
            x[p->places[k]] = mcuc_fft_sum(sum, turned);
            x[p->places[p->points - k]] = mcuc_fft_conjugate(mcuc_fft_difference(sum, turned));
        }
        mcuc_fft_transform(p, x, 1);
        y += p->points + 1;
        x += p->points;
    }
}

#endif
