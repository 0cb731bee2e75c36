/*
 * mcuc_svdf.h: the loop of all SVDF kernels.
 *
 * A skeleton: a kernel defines mcuc_svdf_value (elements of input and output), mcuc_svdf_memory
 * (elements of the state and of the weights over time), mcuc_svdf_sum, MCUC_SVDF_PARAMS and three
 * functions, mcuc_svdf_feature, mcuc_svdf_over_time and mcuc_svdf_result, and includes this.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SVDF_H
#define MCUC_SVDF_H

#include <string.h>

#include "mcuc.h"

/* The history of a filter moves on by one; its newest value is the feature of the input. */
static inline void mcuc_svdf_advance(const MCUC_SVDF_PARAMS *p, const mcuc_svdf_value *input,
                                     int32_t filter, mcuc_svdf_memory *history)
{
    (void)memmove(history, history + 1, (size_t)(p->memory - 1) * sizeof(*history));
    history[p->memory - 1] = mcuc_svdf_feature(p, p->feature_weights + filter * p->inputs, input);
}

/* Each output is its bias and what each of its filters gives, in this order. */
static inline void mcuc_svdf_run(const MCUC_SVDF_PARAMS *p, const mcuc_svdf_value *input,
                                 mcuc_svdf_value *output, mcuc_svdf_memory *state)
{
    for (int32_t batch = 0; batch < p->batches; batch++) {
        int32_t filter = 0;
        for (int32_t unit = 0; unit < p->units; unit++) {
            mcuc_svdf_sum sum = (mcuc_svdf_sum)p->bias[unit];
            for (int32_t k = 0; k < p->rank; k++) {
                mcuc_svdf_advance(p, input, filter, state);
                sum += mcuc_svdf_over_time(p, p->time_weights + filter * p->memory, state);
                state += p->memory;
                filter++;
            }
            *output++ = mcuc_svdf_result(p, sum);
        }
        input += p->inputs;
    }
}

#endif
