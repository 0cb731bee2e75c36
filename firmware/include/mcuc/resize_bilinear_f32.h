/*
 * mcuc_resize_bilinear_f32: an image of another size, pixels weighted by their distance.
 *
 * input   float [batches][in_height][in_width][channels]
 * output  float [batches][out_height][out_width][channels]
 *
 * Rows and columns: output pixel i lies between the input's low[i] and high[i] along each axis,
 * with weights 1 - fraction[i] and fraction[i]. Entries for rows come first, then those for
 * columns.
 *
 * Ranges  1 <= sizes; indices lie inside the image.
 *
 * Order   Output pixels in raster order: for each channel, the four pixels are read, then it is
 *         written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_RESIZE_BILINEAR_F32_H
#define MCUC_RESIZE_BILINEAR_F32_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const int16_t *low;
    const int16_t *high;
    const float *fraction;
    int32_t batches;
    int32_t in_height;
    int32_t in_width;
    int32_t out_height;
    int32_t out_width;
    int32_t channels;
} mcuc_resize_bilinear_f32_params;

void mcuc_resize_bilinear_f32(const mcuc_resize_bilinear_f32_params *p, const float *input,
                              float *output);

#ifdef __cplusplus
}
#endif

#endif
