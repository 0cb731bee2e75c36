/*
 * mcuc_signal_stacker_s16: see mcuc/signal_stacker_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/signal_stacker_s16.h"

#include <string.h>

void mcuc_signal_stacker_s16(const mcuc_signal_stacker_s16_params *p, const int16_t *input,
                             int16_t *output, uint8_t *valid, int32_t *count, int16_t *history)
{
    size_t frame_bytes = (size_t)p->size * sizeof(*input);

    if (*count < 0) {
        for (*count = 0; *count < p->left; (*count)++) {
            (void)memcpy(history + *count * p->size, input, frame_bytes);
        }
    }
    *valid = *count + 1 >= p->stack;
    if (!*valid) {
        (void)memset(output, 0, (size_t)p->stack * frame_bytes);
        (void)memcpy(history + *count * p->size, input, frame_bytes);
        *count += 1;
        return;
    }
    (void)memcpy(output, history, (size_t)*count * frame_bytes);
    (void)memcpy(output + *count * p->size, input, frame_bytes);
    *count = p->stack - p->step;
    (void)memcpy(history, output + p->step * p->size, (size_t)*count * frame_bytes);
}
