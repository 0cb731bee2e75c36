/*
 * mcuc_fully_connected_s8: see mcuc/fully_connected_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/fully_connected_s8.h"

#include "mcuc_dot.h"

void mcuc_fully_connected_s8(const mcuc_fully_connected_s8_params *p, const int8_t *input,
                             int8_t *output)
{
    static const int32_t start[4];
    const mcuc_runs runs = {1, 1, p->in_channels, 0, 0, 0};

    for (int32_t row = 0; row < p->rows; row++) {
        const int8_t *w = p->filter;
        int32_t lanes;
        for (int32_t channel = 0; channel < p->out_channels; channel += lanes) {
            mcuc_sums sums;
            lanes = p->out_channels - channel < 4 ? p->out_channels - channel : 4;
            if (lanes < 4) {
                mcuc_dot_1xn(&runs, input, w, lanes, start, sums.first);
            } else {
                mcuc_dot_1x4(&runs, input, w, start, &sums);
            }
            for (int32_t i = 0; i < lanes; i++) {
                output[channel + i] = mcuc_requantize(
                    (uint32_t)sums.first[i] + (uint32_t)p->bias[channel + i], p->multiplier,
                    p->right_shift, p->out_zero_point, p->out_min, p->out_max);
            }
            w += lanes * p->in_channels;
        }
        input += p->in_channels;
        output += p->out_channels;
    }
}
