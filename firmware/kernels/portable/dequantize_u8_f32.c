/*
 * mcuc_dequantize_u8_f32: see mcuc/dequantize_u8_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/dequantize_u8_f32.h"

void mcuc_dequantize_u8_f32(const mcuc_dequantize_u8_f32_params *p, const uint8_t *input,
                            float *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        output[i] = p->scale * (float)(input[i] - p->zero_point);
    }
}
