/*
 * mcuc_resize.h: pixels of an image of another size, between those of the one that it is made of.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_RESIZE_H
#define MCUC_RESIZE_H

#include "mcuc.h"

/* Two neighbours in a row, in 1/1024. */
static inline int32_t mcuc_between(const int8_t *row, int32_t left, int32_t right, int32_t fraction)
{
    return row[left] * (1024 - fraction) + row[right] * fraction;
}

/* Two rows, rounded half away from zero. */
static inline int8_t mcuc_between_rows(int32_t top, int32_t bottom, int32_t fraction)
{
    int32_t sum = top * (1024 - fraction) + bottom * fraction;
    int32_t half = (int32_t)1 << 19;
    return (int8_t)((sum + (sum > 0 ? half : -half)) / ((int32_t)1 << 20));
}

/*
 * The pixel between `left` and `right`, bytes from the start of the rows `top` and `bottom`, at
 * `across` and `down` in 1/1024 from the first of each two. Channels ascending: four are read, then
 * one is written.
 */
static inline void mcuc_between_pixels(const int8_t *top, const int8_t *bottom, int32_t left,
                                       int32_t right, int32_t across, int32_t down,
                                       int32_t channels, int8_t *output)
{
    for (int32_t c = 0; c < channels; c++) {
        output[c] = mcuc_between_rows(mcuc_between(top + c, left, right, across),
                                      mcuc_between(bottom + c, left, right, across), down);
    }
}

#endif
