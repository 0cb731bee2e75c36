/*
 * mcuc_cast: see mcuc/cast.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/cast.h"

static inline int64_t whole(float x)
{
    if (!(x > -9223372036854775808.0f)) {
        return x <= -9223372036854775808.0f ? INT64_MIN : 0;
    }
    return x < 9223372036854775808.0f ? (int64_t)x : INT64_MAX;
}

static inline int64_t load(const void *from, uint32_t i, uint8_t type)
{
    switch (type) {
    case '?':
        return ((const uint8_t *)from)[i] != 0;
    case 'b':
        return ((const int8_t *)from)[i];
    case 's':
        return ((const int16_t *)from)[i];
    case 'u':
        return ((const uint32_t *)from)[i];
    default:
        return ((const int32_t *)from)[i];
    }
}

static inline void store(void *to, uint32_t i, uint8_t type, int64_t value)
{
    switch (type) {
    case 'b':
        ((int8_t *)to)[i] = (int8_t)value;
        break;
    case 's':
        ((int16_t *)to)[i] = (int16_t)value;
        break;
    case 'u':
        ((uint32_t *)to)[i] = (uint32_t)value;
        break;
    case 'f':
        ((float *)to)[i] = (float)value;
        break;
    default:
        ((int32_t *)to)[i] = (int32_t)value;
        break;
    }
}

void mcuc_cast(const mcuc_cast_params *p, const void *input, void *output)
{
    for (uint32_t i = 0; i < p->size; i++) {
        if (p->in_type == 'f') {
            float x = ((const float *)input)[i];
            if (p->out_type == 'f') {
                ((float *)output)[i] = x;
            } else {
                store(output, i, p->out_type, whole(x));
            }
        } else {
            store(output, i, p->out_type, load(input, i, p->in_type));
        }
    }
}
