/*
 * mcuc_conv_2d_s8__1x1_backward: mcuc_conv_2d_s8__1x1 from the last pixel to the first.
 *
 * The same results from the same parameters. Where the output of the one may lie over the end of
 * its input, the output of the other may lie over its beginning: a chain of layers that alternate
 * stays in one place.
 *
 * Order   Pixels two at a time, descending; the first alone where their number is odd. Such a step
 *         reads nothing but the inputs of its pixels and writes nothing but their outputs. It does
 *         so in blocks of at most four channels, ascending: for each, the inputs of both pixels are
 *         read, then the block is written. So all inputs of a step are read until the last block is
 *         written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_CONV_2D_S8__1X1_BACKWARD_H
#define MCUC_CONV_2D_S8__1X1_BACKWARD_H

#include "mcuc/conv_2d_s8__1x1.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef mcuc_conv_2d_s8__1x1_params mcuc_conv_2d_s8__1x1_backward_params;

void mcuc_conv_2d_s8__1x1_backward(const mcuc_conv_2d_s8__1x1_backward_params *p,
                                   const int8_t *input, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
