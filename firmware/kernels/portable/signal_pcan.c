/*
 * mcuc_signal_pcan: see mcuc/signal_pcan.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/signal_pcan.h"

#include "mcuc_exp.h"

static inline int16_t gain_of(const int16_t *gains, uint32_t noise)
{
    if (noise <= 2u) {
        return gains[noise];
    }
    int32_t bits = 32 - mcuc_leading_zeros(noise);
    const int16_t *parabola = gains + 4 * bits - 6;
    uint32_t x = (bits < 11 ? noise << (11 - bits) : noise >> (bits - 11)) & 0x3FFu;
    int32_t curved = (parabola[2] * (int32_t)x) >> 5;
    uint32_t slope = (uint32_t)curved + ((uint32_t)parabola[1] << 5);
    int32_t rise = (int32_t)(slope * x + ((uint32_t)1 << 14)) >> 15;

    return (int16_t)(uint16_t)(uint32_t)(rise + parabola[0]);
}

/* x in 2^-12: x^2 / 4 below 2, x - 1 from there on, in 2^-6. */
static inline uint32_t shrunk(uint32_t x)
{
    return x < 8192u ? (x * x) >> 20 : (x >> 6) - 64u;
}

void mcuc_signal_pcan(const mcuc_signal_pcan_params *p, const uint32_t *input,
                      const uint32_t *noise, uint32_t *output)
{
    for (int32_t i = 0; i < p->size; i++) {
        uint32_t gain = (uint32_t)gain_of(p->gains, noise[i]);
        output[i] = shrunk((uint32_t)(((uint64_t)input[i] * gain) >> p->shift));
    }
}
