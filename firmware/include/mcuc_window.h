/*
 * mcuc_window.h: which taps of a filter or pool lie inside the image.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_WINDOW_H
#define MCUC_WINDOW_H

#include "mcuc.h"

/* Along one axis: tap k is at start + k * dilation; taps [begin, end) are inside the image. */
typedef struct {
    int32_t start;
    int32_t begin;
    int32_t end;
} mcuc_taps;

/* The taps inside [0, size), of `count` from `start` on; begin = end where there are none. */
static inline mcuc_taps mcuc_taps_inside(int32_t start, int32_t count, int32_t dilation,
                                         int32_t size)
{
    mcuc_taps taps = {start, 0, count};
    int32_t first = start;
    while (taps.begin < count && first < 0) {
        taps.begin++;
        first += dilation;
    }
    int32_t last = start + (count - 1) * dilation;
    while (taps.end > taps.begin && last >= size) {
        taps.end--;
        last -= dilation;
    }
    return taps;
}

#endif
