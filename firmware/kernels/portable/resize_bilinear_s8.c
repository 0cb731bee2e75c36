/*
 * mcuc_resize_bilinear_s8: see mcuc/resize_bilinear_s8.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/resize_bilinear_s8.h"

/* Two neighbours in a row, in 1/1024. */
static inline int32_t mix(const int8_t *row, int32_t left, int32_t right, int32_t fraction)
{
    return row[left] * (1024 - fraction) + row[right] * fraction;
}

/* Two rows, rounded half away from zero. */
static inline int8_t mixed(int32_t fraction, int32_t top, int32_t bottom)
{
    int32_t sum = top * (1024 - fraction) + bottom * fraction;
    int32_t half = (int32_t)1 << 19;
    return (int8_t)((sum + (sum > 0 ? half : -half)) / ((int32_t)1 << 20));
}

void mcuc_resize_bilinear_s8(const mcuc_resize_bilinear_s8_params *p, const int8_t *input,
                             int8_t *output)
{
    for (int32_t batch = 0; batch < p->batches; batch++) {
        for (int32_t y = 0; y < p->out_height; y++) {
            const int8_t *top = input + p->low[y] * p->in_width * p->channels;
            const int8_t *bottom = input + p->high[y] * p->in_width * p->channels;
            for (int32_t x = p->out_height; x < p->out_height + p->out_width; x++) {
                int32_t left = p->low[x] * p->channels;
                int32_t right = p->high[x] * p->channels;
                for (int32_t c = 0; c < p->channels; c++) {
                    *output++ = mixed(p->fraction[y], mix(top + c, left, right, p->fraction[x]),
                                      mix(bottom + c, left, right, p->fraction[x]));
                }
            }
        }
        input += p->in_height * p->in_width * p->channels;
    }
}
