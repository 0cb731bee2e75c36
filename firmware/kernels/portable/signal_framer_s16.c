/*
 * mcuc_signal_framer_s16: see mcuc/signal_framer_s16.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/signal_framer_s16.h"

#include <string.h>

/* One step of one row with `count` samples kept before; returns how many are kept then. */
static inline int32_t advance(const mcuc_signal_framer_s16_params *p, const int16_t *input,
                              int16_t *output, int16_t *history, int32_t count)
{
    int32_t whole = count + p->step;

    if (whole < p->size) {
        (void)memset(output, 0, (size_t)p->size * sizeof(*output));
        (void)memcpy(history + count, input, (size_t)p->step * sizeof(*input));
        return whole;
    }
    (void)memcpy(output, history, (size_t)count * sizeof(*output));
    (void)memcpy(output + count, input, (size_t)(p->size - count) * sizeof(*output));
    if (count < p->step) {
        (void)memcpy(history, input + p->step - count, (size_t)count * sizeof(*history));
        return count;
    }
    (void)memmove(history, history + p->step, (size_t)(count - p->step) * sizeof(*history));
    (void)memcpy(history + count - p->step, input, (size_t)p->step * sizeof(*input));
    return count;
}

void mcuc_signal_framer_s16(const mcuc_signal_framer_s16_params *p, const int16_t *input,
                            int16_t *output, uint8_t *valid, int32_t *count, int16_t *history)
{
    int32_t kept = *count;

    *valid = *count + p->step >= p->size;
    for (int32_t row = 0; row < p->rows; row++) {
        kept = *count;
        for (int32_t frame = 0; frame < p->frames; frame++) {
            kept = advance(p, input, output, history, kept);
            input += p->step;
            output += p->size;
        }
        history += p->kept;
    }
    *count = kept;
}
