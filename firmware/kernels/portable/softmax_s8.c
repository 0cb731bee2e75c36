/*
 * mcuc_softmax_s8: see mcuc/softmax_s8.h.
 *
 * The arithmetic is TensorFlow Lite's, bit for bit: differences to the maximum
 * in Q5.26, exponentials in Q0.31, their sum in Q12.19, and one reciprocal a
 * row by Newton's method.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/softmax_s8.h"

#include "mcuc_math.h"

/* exp(-2^(k - 2)) in Q0.31, for bit 24 + k of a Q5.26 number. */
static const int32_t exp_of_bit[7] = {1672461947, 1302514674, 790015084, 290630308,
                                      39332535,   720401,     242};

/* exp(a) in Q0.31 for a <= 0 in Q5.26: a polynomial on [-1/4, 0), then a factor a bit. */
static int32_t exp_of_negative(int32_t a)
{
    const int32_t quarter = (int32_t)1 << 24;
    if (a == 0) {
        return INT32_MAX;
    }
    int32_t a_mod = (a & (quarter - 1)) - quarter;
    int32_t remainder = a_mod - a;
    int32_t x = a_mod * 32 + ((int32_t)1 << 28); /* offset from -1/8, in Q0.31 */
    int32_t x2 = mcuc_multiply_high(x, x);
    int32_t x3 = mcuc_multiply_high(x2, x);
    int32_t x4 = mcuc_multiply_high(x2, x2);
    int32_t tail = mcuc_multiply_high(mcuc_divide_pot(x4, 2) + x3, 715827883) + x2;
    int32_t polynomial = x + mcuc_divide_pot(tail, 1);
    int32_t result = 1895147668 + mcuc_multiply_high(1895147668, polynomial);

    for (int32_t k = 0; k < 7; k++) {
        if (remainder & (quarter << k)) {
            result = mcuc_multiply_high(result, exp_of_bit[k]);
        }
    }
    return result;
}

static int32_t saturating_double(int32_t x)
{
    if (x > INT32_MAX / 2) {
        return INT32_MAX;
    }
    return x < -(INT32_MAX / 2) - 1 ? INT32_MIN : x * 2;
}

/* 1 / (1 + a) in Q0.31 for 0 <= a < 1 in Q0.31. */
static int32_t reciprocal_of_one_plus(int32_t a)
{
    int32_t half = (int32_t)(((int64_t)a + INT32_MAX + 1) >> 1);
    int32_t x = 1515870810 + mcuc_multiply_high(half, -1010580540); /* 48/17 - 32/17 half, Q2.29 */

    for (int32_t round = 0; round < 3; round++) {
        int32_t error = ((int32_t)1 << 29) - mcuc_multiply_high(half, x);
        x += saturating_double(saturating_double(mcuc_multiply_high(x, error)));
    }
    return saturating_double(x);
}

static int32_t leading_zeros(uint32_t x)
{
    int32_t n = 0;
    for (; x < 0x80000000u; x <<= 1) {
        n++;
    }
    return n;
}

/* exp of a difference to the maximum, which is at least diff_min. */
static int32_t exp_of_difference(const mcuc_softmax_s8_params *p, int32_t difference)
{
    int32_t shifted = (int32_t)((uint32_t)difference << p->left_shift);
    return exp_of_negative(mcuc_multiply_high(shifted, p->multiplier));
}

static void softmax_row(const mcuc_softmax_s8_params *p, const int8_t *input, int8_t *output)
{
    int32_t max = input[0];
    for (int32_t i = 1; i < p->depth; i++) {
        max = input[i] > max ? input[i] : max;
    }
    int32_t sum = 0;
    for (int32_t i = 0; i < p->depth; i++) {
        int32_t difference = input[i] - max;
        if (difference >= p->diff_min) {
            sum += mcuc_divide_pot(exp_of_difference(p, difference), 12);
        }
    }
    int32_t zeros = leading_zeros((uint32_t)sum); /* the maximum alone adds 2^19 */
    int32_t scale = reciprocal_of_one_plus((int32_t)(((uint32_t)sum << zeros) - 0x80000000u));
    int32_t shift = 35 - zeros;
    for (int32_t i = 0; i < p->depth; i++) {
        int32_t difference = input[i] - max;
        int32_t result = -128;
        if (difference >= p->diff_min && shift < 32) {
            int32_t exponential = exp_of_difference(p, difference);
            result += mcuc_divide_pot(mcuc_multiply_high(scale, exponential), shift);
        }
        output[i] = (int8_t)(result > 127 ? 127 : result);
    }
}

void mcuc_softmax_s8(const mcuc_softmax_s8_params *p, const int8_t *input, int8_t *output)
{
    for (int32_t row = 0; row < p->rows; row++) {
        softmax_row(p, input, output);
        input += p->depth;
        output += p->depth;
    }
}
