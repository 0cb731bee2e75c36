/*
 * mcuc_add_n_f32: see mcuc/add_n_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/add_n_f32.h"

void mcuc_add_n_f32(const mcuc_add_n_f32_params *p, const void *const *inputs, float *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        float sum = 0.0f;
        for (int32_t k = 0; k < p->count; k++) {
            sum += ((const float *)inputs[k])[i];
        }
        output[i] = sum;
    }
}
