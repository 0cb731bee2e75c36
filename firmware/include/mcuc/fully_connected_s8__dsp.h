/*
 * mcuc_fully_connected_s8__dsp: mcuc_fully_connected_s8 for the DSP extension.
 *
 * input    int8 [rows][in_channels]
 * output   int8 [rows][out_channels]
 *
 * filter   as that of mcuc_conv_2d_s8__dsp, with one row of in_channels terms
 * bias     [ceil(out_channels / 4)][4]: A, 256 * B + A, C, 256 * D + C modulo 2^32 for the biases
 *          of four outputs, which have the input's zero point folded in
 * multiplier, constant, right_shift  those of mcuc_dsp.h, for all outputs; the sign counts.
 *
 * A product sum with bias must be within (-2^30, 2^30) for outputs 0 and 2 of four, within
 * (-2^23, 2^23) for outputs 1 and 3, whatever the input.
 *
 * Ranges  1 <= sizes; 1 <= right_shift <= 23; in_channels a multiple of 4 where there are several
 *         rows.
 *
 * Order   Row after row. Four outputs after four: the whole row of the input is read, up to a
 *         multiple of four bytes (what follows it does not matter), then these outputs are written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_FULLY_CONNECTED_S8__DSP_H
#define MCUC_FULLY_CONNECTED_S8__DSP_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint32_t *filter;
    const int32_t *bias;
    int32_t multiplier;
    int32_t constant;
    int32_t right_shift;
    int32_t rows;
    int32_t in_channels;
    int32_t out_channels;
} mcuc_fully_connected_s8__dsp_params;

void mcuc_fully_connected_s8__dsp(const mcuc_fully_connected_s8__dsp_params *p, const int8_t *input,
                                  int8_t *output);

#ifdef __cplusplus
}
#endif

#endif
