/*
 * mcuc_svdf_s8: see mcuc/svdf_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/svdf_s8.h"

#define MCUC_SVDF_PARAMS mcuc_svdf_s8_params
#define MCUC_SVDF_MEMORY_MIN INT8_MIN
#define MCUC_SVDF_MEMORY_MAX INT8_MAX
typedef int8_t mcuc_svdf_memory;

#include "mcuc_svdf_s8.h"

void mcuc_svdf_s8(const mcuc_svdf_s8_params *p, const int8_t *input, int8_t *output, int8_t *state)
{
    mcuc_svdf_run(p, input, output, state);
}
