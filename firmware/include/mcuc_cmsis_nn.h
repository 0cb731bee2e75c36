/*
 * mcuc_cmsis_nn.h: the parameters of kernels that call CMSIS-NN, a copy of which the user has.
 *
 * Sizes stand in the order in which CMSIS-NN has them: images and filters as batches, height,
 * width, channels; steps as width, height. Offsets of inputs are minus their zero points, shifts
 * are to the left. Nothing of CMSIS-NN is needed to include this.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CMSIS_NN_H
#define MCUC_CMSIS_NN_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A layer whose filter moves over an image; bias, multiplier and shift have an entry an output. */
typedef struct {
    const int8_t *filter;
    const int32_t *bias;
    const int32_t *multiplier;
    const int32_t *shift;
    int32_t input_size[4];
    int32_t filter_size[4];
    int32_t output_size[4];
    int32_t stride[2];
    int32_t padding[2];
    int32_t dilation[2];
    int32_t in_offset;
    int32_t out_offset;
    int32_t out_min;
    int32_t out_max;
    int32_t scratch_bytes;
} mcuc_cmsis_nn_layer;

/* A pool. */
typedef struct {
    int32_t input_size[4];
    int32_t filter_size[4];
    int32_t output_size[4];
    int32_t stride[2];
    int32_t padding[2];
    int32_t out_min;
    int32_t out_max;
    int32_t scratch_bytes;
} mcuc_cmsis_nn_pool;

#ifdef __cplusplus
}
#endif

#endif
