/*
 * mcuc_resize_bilinear_f32: see mcuc/resize_bilinear_f32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/resize_bilinear_f32.h"

void mcuc_resize_bilinear_f32(const mcuc_resize_bilinear_f32_params *p, const float *input,
                              float *output)
{
    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            const float *top = input + p->low[y] * p->in_width * p->channels;
            const float *bottom = input + p->high[y] * p->in_width * p->channels;
            float down = p->fraction[y];
            for (int32_t x = p->out_height; x < p->out_height + p->out_width; x++) {
                int32_t left = p->low[x] * p->channels;
                int32_t right = p->high[x] * p->channels;
                float across = p->fraction[x];
                for (int32_t c = 0; c < p->channels; c++, left++, right++) {
                    *output++ = top[left] * (1.0f - down) * (1.0f - across) +
                                bottom[left] * down * (1.0f - across) +
                                top[right] * (1.0f - down) * across + bottom[right] * down * across;
                }
            }
        }
        input += p->in_height * p->in_width * p->channels;
    }
}
