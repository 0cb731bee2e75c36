/*
 * mcuc_signal_overlap_add_f32: see mcuc/signal_overlap_add_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/signal_overlap_add_f32.h"

#define MCUC_OVERLAP_ADD_PARAMS mcuc_signal_overlap_add_f32_params
typedef float mcuc_sample;

static inline float mcuc_sample_sum(float a, float b)
{
    return a + b;
}

#include "mcuc_overlap_add.h"

void mcuc_signal_overlap_add_f32(const mcuc_signal_overlap_add_f32_params *p, const float *input,
                                 float *output, float *state)
{
    mcuc_overlap_add(p, input, output, state);
}
