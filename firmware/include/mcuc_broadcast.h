/*
 * mcuc_broadcast.h: the loop of all kernels that combine two tensors element by element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_BROADCAST_H
#define MCUC_BROADCAST_H

#include "mcuc_math.h"
#include "mcuc_raster.h"

/*
 * Walks the output in raster order, over p->shape. The elements x of `a` and y of `b` at its
 * coordinates are at the sums of coordinate * p->a_strides and p->b_strides; a stride of 0 repeats.
 * Both are read, then element(p, x, y) is written. `output` ends up behind the last element.
 */
#define MCUC_FOR_EACH_PAIR(p, a, b, output, element)                   \
    do {                                                               \
        const int32_t last = MCUC_RASTER_DIMENSIONS - 1;               \
        int32_t at[MCUC_RASTER_DIMENSIONS] = {0};                      \
        do {                                                           \
            int32_t ai = mcuc_raster_offset(at, (p)->a_strides, last); \
            int32_t bi = mcuc_raster_offset(at, (p)->b_strides, last); \
            for (int32_t left = (p)->shape[last]; left > 0; left--) {  \
                *(output)++ = element((p), (a)[ai], (b)[bi]);          \
                ai += (p)->a_strides[last];                            \
                bi += (p)->b_strides[last];                            \
            }                                                          \
        } while (mcuc_raster_next(at, (p)->shape, last) >= 0);         \
    } while (0)

#endif
