/*
 * mcuc_dequantize_s8_f32: see mcuc/dequantize_s8_f32.h.
 *
 * TensorFlow Lite multiplies in double and rounds to float. The exact product has at most 32
 * significant bits, so the float product is the same.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/dequantize_s8_f32.h"

void mcuc_dequantize_s8_f32(const mcuc_dequantize_s8_f32_params *p, const int8_t *input,
                            float *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        output[i] = p->scale * (float)(input[i] - p->zero_point);
    }
}
