/*
 * mcuc_signal_auto_scale_s16: see mcuc/signal_auto_scale_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/signal_auto_scale_s16.h"

static inline int16_t largest_magnitude(const int16_t *input, int32_t size)
{
    int32_t largest = 0;

    for (int32_t i = 0; i < size; i++) {
        if (input[i] > largest) {
            largest = input[i];
        } else if (-input[i] > largest) {
            largest = (int16_t)-input[i];
        }
    }
    return (int16_t)largest;
}

void mcuc_signal_auto_scale_s16(const mcuc_signal_auto_scale_s16_params *p, const int16_t *input,
                                int16_t *output, int32_t *bits)
{
    int32_t largest = largest_magnitude(input, p->size);
    int32_t shift = 0;

    while (largest > 0 && (largest << shift) < 0x4000) {
        shift++;
    }
    *bits = shift;
    for (int32_t i = 0; i < p->size; i++) {
        output[i] = (int16_t)(uint16_t)((uint32_t)input[i] << shift);
    }
}
