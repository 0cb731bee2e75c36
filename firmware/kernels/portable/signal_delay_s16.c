/*
 * mcuc_signal_delay_s16: see mcuc/signal_delay_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/signal_delay_s16.h"

#include <string.h>

void mcuc_signal_delay_s16(const mcuc_signal_delay_s16_params *p, const int16_t *input,
                           int16_t *output, int16_t *state)
{
    int32_t old = p->delay < p->size ? p->delay : p->size; /* samples of a row from the state */
    int32_t kept = p->delay - old;
    int32_t passed = p->size - old;

    for (int32_t row = 0; row < p->rows; row++) {
        (void)memcpy(output, state, (size_t)old * sizeof(*state));
        (void)memcpy(output + old, input, (size_t)passed * sizeof(*input));
        (void)memmove(state, state + old, (size_t)kept * sizeof(*state));
        (void)memcpy(state + kept, input + passed, (size_t)old * sizeof(*input));
        input += p->size;
        output += p->size;
        state += p->delay;
    }
}
