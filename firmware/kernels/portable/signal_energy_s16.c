/*
 * mcuc_signal_energy_s16: see mcuc/signal_energy_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/signal_energy_s16.h"

static inline uint32_t squared(int16_t x)
{
    return (uint32_t)((int32_t)x * x);
}

void mcuc_signal_energy_s16(const mcuc_signal_energy_s16_params *p, const int16_t *input,
                            uint32_t *output)
{
    for (int32_t i = 0; i < p->size; i++) {
        uint32_t energy = squared(input[2 * i]) + squared(input[2 * i + 1]);
        output[i] = p->begin <= i && i < p->end ? energy : 0u;
    }
}
