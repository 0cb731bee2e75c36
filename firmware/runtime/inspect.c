/*
 * inspect.c: commands that look at the arena and change it; see mcuc_inspect.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_inspect.h"

#include "mcuc_measure.h"

enum { ID, OFFSET, BYTES };

/* The last `mask`: when it comes again because its answer was lost, it must not undo itself. */
static uint32_t masked_id;

/* Where the range is, NULL if it is not within the arena. */
MCUC_COLD static uint8_t *range(const uint32_t *values)
{
    if (values[OFFSET] > mcuc_measure_arena_bytes ||
        values[BYTES] > mcuc_measure_arena_bytes - values[OFFSET]) {
        return NULL;
    }
    return mcuc_measure_arena() + values[OFFSET];
}

int32_t mcuc_inspect_sum(const uint32_t *values)
{
    const uint8_t *bytes = range(values);
    if (bytes == NULL) {
        return 0;
    }
    mcuc_line_write("sum id=# crc32=%", values[ID], mcuc_crc32(0, bytes, values[BYTES]));
    return 1;
}

int32_t mcuc_inspect_peek(const uint32_t *values)
{
    const uint8_t *bytes = range(values);
    if (bytes == NULL || values[BYTES] > MCUC_LINE_DATA_BYTES) {
        return 0;
    }
    mcuc_line_write("bytes id=# index=0 offset=# base64=*", values[ID], values[OFFSET], bytes,
                    values[BYTES]);
    return 1;
}

int32_t mcuc_inspect_mask(const uint32_t *values)
{
    uint8_t *bytes = range(values);
    if (bytes == NULL) {
        return 0;
    }
    if (values[ID] != masked_id) {
        for (uint32_t i = 0; i < values[BYTES]; i++) {
            /* Looks random, is never 0: no byte stays as it is. */
            bytes[i] ^= (uint8_t)((values[OFFSET] + i) * 2654435761U >> 24 | 1U);
        }
        masked_id = values[ID];
    }
    return 1;
}
