/*
 * mcuc_pad_s8: see mcuc/pad_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/pad_s8.h"

#include <string.h>

#define DIMENSIONS 5

/* Bytes of one step along `dimension` of the output. */
static size_t out_bytes(const mcuc_pad_s8_params *p, int32_t dimension)
{
    size_t size = 1;
    for (int32_t i = dimension + 1; i < DIMENSIONS; i++) {
        size *= (size_t)(p->before[i] + p->in_shape[i] + p->after[i]);
    }
    return size;
}

/* Writes `count` steps along `dimension` of the padding value; returns the output behind them. */
static int8_t *fill(const mcuc_pad_s8_params *p, int32_t dimension, int32_t count, int8_t *output)
{
    size_t size = (size_t)count * out_bytes(p, dimension);
    memset(output, p->value, size);
    return output + size;
}

void mcuc_pad_s8(const mcuc_pad_s8_params *p, const int8_t *input, int8_t *output)
{
    const int32_t last = DIMENSIONS - 1;
    size_t row = (size_t)p->in_shape[last];
    int32_t at[DIMENSIONS - 1] = {0};
    int32_t dimension = 0; /* the first that is at its start */

    while (dimension >= 0) {
        for (int32_t i = dimension; i <= last; i++) {
            output = fill(p, i, p->before[i], output);
        }
        memmove(output, input, row); /* output and input may overlap here */
        input += row;
        output = fill(p, last, p->after[last], output + row);
        dimension = last - 1;
        while (dimension >= 0 && ++at[dimension] == p->in_shape[dimension]) {
            output = fill(p, dimension, p->after[dimension], output);
            at[dimension] = 0;
            dimension--;
        }
        if (dimension >= 0) {
            dimension++;
        }
    }
}
