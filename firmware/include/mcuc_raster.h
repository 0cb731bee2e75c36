/*
 * mcuc_raster.h: walking a tensor of up to six dimensions in raster order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_RASTER_H
#define MCUC_RASTER_H

#include "mcuc.h"

#define MCUC_RASTER_DIMENSIONS 6

/*
 * Steps `at` to the next coordinates of the first `count` dimensions of `shape`, the last of them
 * fastest. Returns the dimension that advanced (those after it are back at 0), -1 at the end.
 */
static inline int32_t mcuc_raster_next(int32_t *at, const int32_t *shape, int32_t count)
{
    int32_t dimension = count - 1;
    while (dimension >= 0 && ++at[dimension] == shape[dimension]) {
        at[dimension] = 0;
        dimension--;
    }
    return dimension;
}

/* Where the coordinates `at` lie, in elements. */
static inline int32_t mcuc_raster_offset(const int32_t *at, const int32_t *strides, int32_t count)
{
    int32_t offset = 0;
    for (int32_t i = 0; i < count; i++) {
        offset += at[i] * strides[i];
    }
    return offset;
}

/* The sum of a table's entry for each coordinate; the tables of all dimensions lie in a row. */
static inline int32_t mcuc_table_offset(const int32_t *table, const int32_t *shape,
                                        const int32_t *at)
{
    int32_t offset = 0;
    for (int32_t i = 0; i < MCUC_RASTER_DIMENSIONS; i++) {
        offset += table[at[i]];
        table += shape[i];
    }
    return offset;
}

#endif
