/*
 * mcuc_constant: see mcuc/constant.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/constant.h"

#include <string.h>

void mcuc_constant(const mcuc_constant_params *p, int32_t *output)
{
    memcpy(output, p->values, p->size * sizeof(int32_t));
}
