/*
 * mcuc_softmax_s16: see mcuc/softmax_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/softmax_s16.h"

#include "mcuc_exp.h"

/* The table between two entries, at x in [-32768, 32767]. */
static int32_t interpolate(const int16_t *table, int32_t x)
{
    int32_t i = 256 + (x >> 7);
    return table[i] + (((table[i + 1] - table[i]) * (x & 127) + 64) >> 7);
}

static int16_t exponential(const mcuc_softmax_s16_params *p, int32_t difference)
{
    int32_t x = mcuc_scale((uint32_t)difference, p->multiplier, p->right_shift, 0);
    x = mcuc_clamp(x, -65535, 0) + 32767;
    return (int16_t)interpolate(p->exp_table, x);
}

static void softmax_row(const mcuc_softmax_s16_params *p, const int16_t *input, int16_t *output)
{
    int32_t max = INT16_MIN;
    int32_t sum = 0; /* the maximum alone adds 32767 */

    for (int32_t i = 0; i < p->depth; i++) {
        max = input[i] > max ? input[i] : max;
    }
    for (int32_t i = 0; i < p->depth; i++) {
        output[i] = exponential(p, input[i] - max);
        sum += output[i];
    }
    int32_t zeros = mcuc_leading_zeros((uint32_t)sum);
    int32_t fraction = (int32_t)((((uint32_t)sum << (zeros - 1)) + ((uint32_t)1 << 13)) >> 14);
    int32_t x = mcuc_clamp(fraction - 98304, INT16_MIN, INT16_MAX);
    int32_t reciprocal = interpolate(p->reciprocal_table, x);
    for (int32_t i = 0; i < p->depth; i++) {
        int32_t right = 31 - zeros;
        int32_t value = (output[i] * reciprocal + ((int32_t)1 << (right - 1))) >> right;
        output[i] = (int16_t)mcuc_clamp(value, 0, INT16_MAX);
    }
}

void mcuc_softmax_s16(const mcuc_softmax_s16_params *p, const int16_t *input, int16_t *output)
{
    for (int32_t row = 0; row < p->rows; row++) {
        softmax_row(p, input, output);
        input += p->depth;
        output += p->depth;
    }
}
