/*
 * mcuc_cmsis_nn_calls.h: parameters as CMSIS-NN takes them. For the kernels that call it alone.
 *
 * The names of its types and functions are those of all its releases from 4.0.0 on. A status is
 * dropped: what a function refuses is known, and no call of it is made then.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CMSIS_NN_CALLS_H
#define MCUC_CMSIS_NN_CALLS_H

#include <arm_nnfunctions.h>

#include "mcuc_cmsis_nn.h"

static inline cmsis_nn_dims mcuc_cmsis_nn_dims(const int32_t size[4])
{
    cmsis_nn_dims dims;
    dims.n = size[0];
    dims.h = size[1];
    dims.w = size[2];
    dims.c = size[3];
    return dims;
}

static inline cmsis_nn_tile mcuc_cmsis_nn_tile(const int32_t size[2])
{
    cmsis_nn_tile tile;
    tile.w = size[0];
    tile.h = size[1];
    return tile;
}

static inline cmsis_nn_activation mcuc_cmsis_nn_range(int32_t min, int32_t max)
{
    cmsis_nn_activation range;
    range.min = min;
    range.max = max;
    return range;
}

static inline cmsis_nn_context mcuc_cmsis_nn_scratch(void *scratch, int32_t size_bytes)
{
    cmsis_nn_context context;
    context.buf = scratch;
    context.size = size_bytes;
    return context;
}

/* What CMSIS-NN reads only, its types do not promise to. */
static inline cmsis_nn_per_channel_quant_params mcuc_cmsis_nn_channels(const mcuc_cmsis_nn_layer *p)
{
    cmsis_nn_per_channel_quant_params channels;
    channels.multiplier = (int32_t *)p->multiplier;
    channels.shift = (int32_t *)p->shift;
    return channels;
}

/* The functions for convolutions differ in their names alone. */
typedef arm_cmsis_nn_status
mcuc_cmsis_nn_convolution(const cmsis_nn_context *, const cmsis_nn_conv_params *,
                          const cmsis_nn_per_channel_quant_params *, const cmsis_nn_dims *,
                          const int8_t *, const cmsis_nn_dims *, const int8_t *,
                          const cmsis_nn_dims *, const int32_t *, const cmsis_nn_dims *, int8_t *);

static inline void mcuc_cmsis_nn_convolve(mcuc_cmsis_nn_convolution *function,
                                          const mcuc_cmsis_nn_layer *p, const int8_t *input,
                                          int8_t *output, void *scratch)
{
    const cmsis_nn_context context = mcuc_cmsis_nn_scratch(scratch, p->scratch_bytes);
    const cmsis_nn_per_channel_quant_params channels = mcuc_cmsis_nn_channels(p);
    const cmsis_nn_dims input_dims = mcuc_cmsis_nn_dims(p->input_size);
    const cmsis_nn_dims filter_dims = mcuc_cmsis_nn_dims(p->filter_size);
    const cmsis_nn_dims output_dims = mcuc_cmsis_nn_dims(p->output_size);
    const cmsis_nn_dims bias_dims = {1, 1, 1, output_dims.c};
    cmsis_nn_conv_params params;

    params.input_offset = p->in_offset;
    params.output_offset = p->out_offset;
    params.stride = mcuc_cmsis_nn_tile(p->stride);
    params.padding = mcuc_cmsis_nn_tile(p->padding);
    params.dilation = mcuc_cmsis_nn_tile(p->dilation);
    params.activation = mcuc_cmsis_nn_range(p->out_min, p->out_max);
    (void)function(&context, &params, &channels, &input_dims, input, &filter_dims, p->filter,
                   &bias_dims, p->bias, &output_dims, output);
}

/* And so do those for depthwise convolutions, here of one filter a channel. */
typedef arm_cmsis_nn_status
mcuc_cmsis_nn_depthwise_convolution(const cmsis_nn_context *, const cmsis_nn_dw_conv_params *,
                                    const cmsis_nn_per_channel_quant_params *,
                                    const cmsis_nn_dims *, const int8_t *, const cmsis_nn_dims *,
                                    const int8_t *, const cmsis_nn_dims *, const int32_t *,
                                    const cmsis_nn_dims *, int8_t *);

static inline void mcuc_cmsis_nn_convolve_depthwise(mcuc_cmsis_nn_depthwise_convolution *function,
                                                    const mcuc_cmsis_nn_layer *p,
                                                    const int8_t *input, int8_t *output,
                                                    void *scratch)
{
    const cmsis_nn_context context = mcuc_cmsis_nn_scratch(scratch, p->scratch_bytes);
    const cmsis_nn_per_channel_quant_params channels = mcuc_cmsis_nn_channels(p);
    const cmsis_nn_dims input_dims = mcuc_cmsis_nn_dims(p->input_size);
    const cmsis_nn_dims filter_dims = mcuc_cmsis_nn_dims(p->filter_size);
    const cmsis_nn_dims output_dims = mcuc_cmsis_nn_dims(p->output_size);
    const cmsis_nn_dims bias_dims = {1, 1, 1, output_dims.c};
    cmsis_nn_dw_conv_params params;

    params.input_offset = p->in_offset;
    params.output_offset = p->out_offset;
    params.ch_mult = 1;
    params.stride = mcuc_cmsis_nn_tile(p->stride);
    params.padding = mcuc_cmsis_nn_tile(p->padding);
    params.dilation = mcuc_cmsis_nn_tile(p->dilation);
    params.activation = mcuc_cmsis_nn_range(p->out_min, p->out_max);
    (void)function(&context, &params, &channels, &input_dims, input, &filter_dims, p->filter,
                   &bias_dims, p->bias, &output_dims, output);
}

typedef arm_cmsis_nn_status
mcuc_cmsis_nn_pooling(const cmsis_nn_context *, const cmsis_nn_pool_params *, const cmsis_nn_dims *,
                      const int8_t *, const cmsis_nn_dims *, const cmsis_nn_dims *, int8_t *);

static inline void mcuc_cmsis_nn_pool_2d(mcuc_cmsis_nn_pooling *function,
                                         const mcuc_cmsis_nn_pool *p, const int8_t *input,
                                         int8_t *output, void *scratch)
{
    const cmsis_nn_context context = mcuc_cmsis_nn_scratch(scratch, p->scratch_bytes);
    const cmsis_nn_dims input_dims = mcuc_cmsis_nn_dims(p->input_size);
    const cmsis_nn_dims filter_dims = mcuc_cmsis_nn_dims(p->filter_size);
    const cmsis_nn_dims output_dims = mcuc_cmsis_nn_dims(p->output_size);
    cmsis_nn_pool_params params;

    params.stride = mcuc_cmsis_nn_tile(p->stride);
    params.padding = mcuc_cmsis_nn_tile(p->padding);
    params.activation = mcuc_cmsis_nn_range(p->out_min, p->out_max);
    (void)function(&context, &params, &input_dims, input, &filter_dims, &output_dims, output);
}

#endif
