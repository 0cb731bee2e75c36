/*
 * mcuc_one_hot: see mcuc/one_hot.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/one_hot.h"

#include <string.h>

/* Whether index i is `place`; the high word of a wide one is then 0. */
static inline int32_t is_at(const mcuc_one_hot_params *p, const uint32_t *words, uint32_t i,
                            uint32_t place)
{
    const uint32_t *index = words + i * p->index_words;
    return index[0] == place && (p->index_words == 1u || index[1] == 0u);
}

void mcuc_one_hot(const mcuc_one_hot_params *p, const void *indices, const void *on,
                  const void *off, void *output)
{
    const uint32_t *words = (const uint32_t *)indices;
    uint8_t *out = (uint8_t *)output;

    for (uint32_t outer = 0; outer < p->outer; outer++) {
        for (uint32_t place = 0; place < p->depth; place++) {
            for (uint32_t i = 0; i < p->inner; i++) {
                const void *value = is_at(p, words, i, place) ? on : off;
                (void)memcpy(out, value, p->element_bytes);
                out += p->element_bytes;
            }
        }
        words += p->inner * p->index_words;
    }
}
