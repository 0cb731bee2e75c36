/*
 * mcuc_assign_variable: see mcuc/assign_variable.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/assign_variable.h"

#include <string.h>

void mcuc_assign_variable(const mcuc_assign_variable_params *p, const void *input, void *state)
{
    memcpy(state, input, p->size);
}
