/*
 * mcuc_copy_s8: see mcuc/copy_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/copy_s8.h"

#include <string.h>

void mcuc_copy_s8(const mcuc_copy_s8_params *p, const void *input, void *output)
{
    memmove(output, input, p->size);
}
