/*
 * mcuc_resize_bilinear_s8: an image of another size, pixels weighted by their distance.
 *
 * input   int8 [batches][in_height][in_width][channels]
 * output  int8 [batches][out_height][out_width][channels]
 *
 * Rows and columns: output pixel i lies between the input's low[i] and high[i] along each axis,
 * with weights 1024 - fraction[i] and fraction[i]. Entries for rows come first, then those for
 * columns.
 *
 * Ranges  1 <= sizes; -512 <= fraction <= 1024; indices lie inside the image.
 *
 * Order   Output pixels in raster order: for each channel, the four pixels are read, then it is
 *         written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_RESIZE_BILINEAR_S8_H
#define MCUC_RESIZE_BILINEAR_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int16_t *low;
    const int16_t *high;
    const int16_t *fraction;
    int32_t batches;
    int32_t in_height;
    int32_t in_width;
    int32_t out_height;
    int32_t out_width;
    int32_t channels;
} mcuc_resize_bilinear_s8_params;

void mcuc_resize_bilinear_s8(const mcuc_resize_bilinear_s8_params *p, const int8_t *input,
                             int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
