/*
 * mcuc_svdf_s8_s16: see mcuc/svdf_s8_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/svdf_s8_s16.h"

#define MCUC_SVDF_PARAMS mcuc_svdf_s8_s16_params
#define MCUC_SVDF_MEMORY_MIN INT16_MIN
#define MCUC_SVDF_MEMORY_MAX INT16_MAX
typedef int16_t mcuc_svdf_memory;

#include "mcuc_svdf_s8.h"

void mcuc_svdf_s8_s16(const mcuc_svdf_s8_s16_params *p, const int8_t *input, int8_t *output,
                      int16_t *state)
{
    mcuc_svdf_run(p, input, output, state);
}
