/*
 * mcuc_resize_bilinear_s8: see mcuc/resize_bilinear_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/resize_bilinear_s8.h"

#include "mcuc_resize.h"

void mcuc_resize_bilinear_s8(const mcuc_resize_bilinear_s8_params *p, const int8_t *input,
                             int8_t *output)
{
    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            const int8_t *top = input + p->low[y] * p->in_width * p->channels;
            const int8_t *bottom = input + p->high[y] * p->in_width * p->channels;
            for (int32_t x = p->out_height; x < p->out_height + p->out_width; x++) {
                mcuc_between_pixels(top, bottom, p->low[x] * p->channels, p->high[x] * p->channels,
                                    p->fraction[x], p->fraction[y], p->channels, output);
                output += p->channels;
            }
        }
        input += p->in_height * p->in_width * p->channels;
    }
}
