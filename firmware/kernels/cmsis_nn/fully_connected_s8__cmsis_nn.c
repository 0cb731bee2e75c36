/*
 * mcuc_fully_connected_s8__cmsis_nn: see mcuc/fully_connected_s8__cmsis_nn.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/fully_connected_s8__cmsis_nn.h"

#include "mcuc_cmsis_nn_calls.h"

void mcuc_fully_connected_s8__cmsis_nn(const mcuc_fully_connected_s8__cmsis_nn_params *p,
                                       const int8_t *input, int8_t *output)
{
    const cmsis_nn_context context = mcuc_cmsis_nn_scratch(NULL, 0);
    const cmsis_nn_dims input_dims = {p->rows, 1, 1, p->in_channels};
    const cmsis_nn_dims filter_dims = {p->in_channels, 1, 1, p->out_channels};
    const cmsis_nn_dims bias_dims = {1, 1, 1, p->out_channels};
    const cmsis_nn_dims output_dims = {p->rows, 1, 1, p->out_channels};
    cmsis_nn_per_tensor_quant_params scaling;
    cmsis_nn_fc_params params;

    scaling.multiplier = p->multiplier;
    scaling.shift = p->shift;
    params.input_offset = 0;
    params.filter_offset = 0;
    params.output_offset = p->out_offset;
    params.activation = mcuc_cmsis_nn_range(p->out_min, p->out_max);
    (void)arm_fully_connected_s8(&context, &params, &scaling, &input_dims, input, &filter_dims,
                                 p->filter, &bias_dims, p->bias, &output_dims, output);
}
