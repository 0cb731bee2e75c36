/*
 * mcuc_overlap_add.h: the loop of the kernels that add overlapping frames.
 *
 * A skeleton: a kernel defines mcuc_sample, mcuc_sample_sum and MCUC_OVERLAP_ADD_PARAMS, and
 * includes this.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_OVERLAP_ADD_H
#define MCUC_OVERLAP_ADD_H

#include "mcuc.h"

/* Value i of a frame and of what is kept of earlier ones, where there is any. */
static inline mcuc_sample mcuc_overlapped(const MCUC_OVERLAP_ADD_PARAMS *p,
                                          const mcuc_sample *frame, const mcuc_sample *state,
                                          int32_t i)
{
    mcuc_sample kept = i < p->size - p->step ? state[i] : 0;
    return mcuc_sample_sum(frame[i], kept);
}

static inline void mcuc_overlap_add(const MCUC_OVERLAP_ADD_PARAMS *p, const mcuc_sample *input,
                                    mcuc_sample *output, mcuc_sample *state)
{
    for (int32_t row = 0; row < p->rows; row++) {
        for (int32_t frame = 0; frame < p->frames; frame++) {
            for (int32_t i = 0; i < p->step; i++) {
                *output++ = mcuc_overlapped(p, input, state, i);
            }
            for (int32_t i = p->step; i < p->size; i++) {
                state[i - p->step] = mcuc_overlapped(p, input, state, i);
            }
            input += p->size;
        }
        state += p->size - p->step;
    }
}

#endif
