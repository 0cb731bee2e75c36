/*
 * mcuc_arg_extremum_s8: where the largest or smallest value is along one dimension.
 *
 * input   int8 [outer][depth][inner]
 * output  int32 [outer][inner], the index of the first of the largest values
 *
 * is_min is 1 for the smallest.
 *
 * Ranges  1 <= outer, depth, inner.
 *
 * Order   Output elements in raster order: for each, the inputs along the middle dimension are
 *         read ascending, then it is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ARG_EXTREMUM_S8_H
#define MCUC_ARG_EXTREMUM_S8_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t outer;
    int32_t depth;
    int32_t inner;
    uint8_t is_min;
} mcuc_arg_extremum_s8_params;

void mcuc_arg_extremum_s8(const mcuc_arg_extremum_s8_params *p, const int8_t *input,
                          int32_t *output);

#ifdef __cplusplus
}
#endif

#endif
