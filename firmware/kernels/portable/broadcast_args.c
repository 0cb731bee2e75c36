/*
 * mcuc_broadcast_args: see mcuc/broadcast_args.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/broadcast_args.h"

void mcuc_broadcast_args(const mcuc_broadcast_args_params *p, const int32_t *a, const int32_t *b,
                         int32_t *output)
{
    int32_t size = p->a_size > p->b_size ? p->a_size : p->b_size;

    for (int32_t i = 1; i <= size; i++) {
        int32_t x = i <= p->a_size ? a[p->a_size - i] : 1;
        int32_t y = i <= p->b_size ? b[p->b_size - i] : 1;
        output[size - i] = x == 1 ? y : x;
    }
}
