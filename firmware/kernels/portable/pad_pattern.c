/*
 * mcuc_pad_pattern: see mcuc/pad_pattern.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/pad_pattern.h"

#include <string.h>

#include "mcuc_raster.h"

void mcuc_pad_pattern(const mcuc_pad_pattern_params *p, const void *input, void *output)
{
    const int32_t last = 4;
    const uint8_t *from = (const uint8_t *)input;
    uint8_t *to = (uint8_t *)output;
    size_t row = (size_t)p->in_shape[last] * p->element_bytes;
    int32_t strides[5];
    int32_t at[5] = {0};
    int32_t size = 1;
    int32_t start = 0;

    for (int32_t i = last; i >= 0; i--) {
        strides[i] = size;
        start += p->before[i] * size;
        size *= p->before[i] + p->in_shape[i] + p->after[i];
    }
    for (int32_t i = 0; i < size; i++) {
        memcpy(to + (size_t)i * p->element_bytes, p->value, p->element_bytes);
    }
    to += (size_t)start * p->element_bytes;
    do {
        memcpy(to + (size_t)mcuc_raster_offset(at, strides, last) * p->element_bytes, from, row);
        from += row;
    } while (mcuc_raster_next(at, p->in_shape, last) >= 0);
}
