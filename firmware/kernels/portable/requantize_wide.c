/*
 * mcuc_requantize_wide: see mcuc/requantize_wide.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/requantize_wide.h"

#include "mcuc_math.h"

static inline int32_t load(const void *from, uint32_t i, uint8_t bytes)
{
    switch (bytes) {
    case 1:
        return ((const int8_t *)from)[i];
    case 2:
        return ((const int16_t *)from)[i];
    default:
        return ((const int32_t *)from)[i];
    }
}

static inline void store(void *to, uint32_t i, uint8_t bytes, int32_t value)
{
    switch (bytes) {
    case 1:
        ((int8_t *)to)[i] = (int8_t)value;
        break;
    case 2:
        ((int16_t *)to)[i] = (int16_t)value;
        break;
    default:
        ((int32_t *)to)[i] = value;
        break;
    }
}

void mcuc_requantize_wide(const mcuc_requantize_wide_params *p, const void *input, void *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        uint32_t value = (uint32_t)load(input, i, p->in_bytes) - (uint32_t)p->in_zero_point;
        int32_t scaled = mcuc_scale(value, p->multiplier, p->right_shift, p->out_zero_point);
        store(output, i, p->out_bytes, mcuc_clamp(scaled, p->out_min, p->out_max));
    }
}
