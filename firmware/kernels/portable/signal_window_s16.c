/*
 * mcuc_signal_window_s16: see mcuc/signal_window_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/signal_window_s16.h"

#include "mcuc_math.h"

void mcuc_signal_window_s16(const mcuc_signal_window_s16_params *p, const int16_t *input,
                            const int16_t *window, int16_t *output)
{
    for (int32_t frame = 0; frame < p->frames; frame++) {
        for (int32_t i = 0; i < p->size; i++) {
            int32_t product = (*input++ * window[i]) >> p->shift;
            *output++ = (int16_t)mcuc_clamp(product, INT16_MIN, INT16_MAX);
        }
    }
}
