/*
 * mcuc_signal_overlap_add_s16: see mcuc/signal_overlap_add_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/signal_overlap_add_s16.h"

#include "mcuc_math.h"

#define MCUC_OVERLAP_ADD_PARAMS mcuc_signal_overlap_add_s16_params
typedef int16_t mcuc_sample;

static inline int16_t mcuc_sample_sum(int16_t a, int16_t b)
{
    return (int16_t)mcuc_clamp(a + b, INT16_MIN, INT16_MAX);
}

#include "mcuc_overlap_add.h"

void mcuc_signal_overlap_add_s16(const mcuc_signal_overlap_add_s16_params *p, const int16_t *input,
                                 int16_t *output, int16_t *state)
{
    mcuc_overlap_add(p, input, output, state);
}
