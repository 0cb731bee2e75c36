/*
 * mcuc_read_variable: see mcuc/read_variable.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/read_variable.h"

#include <string.h>

void mcuc_read_variable(const mcuc_read_variable_params *p, void *output, const void *state)
{
    memcpy(output, state, p->size);
}
