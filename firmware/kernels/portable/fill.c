/*
 * mcuc_fill: see mcuc/fill.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/fill.h"

#include <string.h>

void mcuc_fill(const mcuc_fill_params *p, void *output)
{
    memset(output, p->value, p->size);
}
