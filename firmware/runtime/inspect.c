/*
 * inspect.c: commands that look at the arena and change it; see mcuc_inspect.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_inspect.h"

#include "mcuc_measure.h"

/* The last `mask`: when it comes again because its answer was lost, it must not undo itself. */
static uint32_t masked_id;

/* The rest of the line is a range within the arena. */
MCUC_COLD static int32_t take_range(mcuc_line *line, uint32_t *offset, uint32_t *count)
{
    return mcuc_line_take_number(line, "offset", offset) &&
           mcuc_line_take_number(line, "bytes", count) && mcuc_line_at_end(line) &&
           *offset <= mcuc_measure_arena_bytes && *count <= mcuc_measure_arena_bytes - *offset;
}

int32_t mcuc_inspect_sum(mcuc_line *line, uint32_t id)
{
    uint32_t offset;
    uint32_t count;
    if (!take_range(line, &offset, &count)) {
        return 0;
    }
    mcuc_answer_begin("sum", id);
    mcuc_answer_hex("crc32", mcuc_crc32(0, mcuc_measure_arena() + offset, count));
    mcuc_answer_finish();
    return 1;
}

int32_t mcuc_inspect_peek(mcuc_line *line, uint32_t id)
{
    uint32_t offset;
    uint32_t count;
    if (!take_range(line, &offset, &count) || count > MCUC_LINE_DATA_BYTES) {
        return 0;
    }
    mcuc_answer_begin("bytes", id);
    mcuc_answer_number("index", 0);
    mcuc_answer_number("offset", offset);
    mcuc_answer_base64("base64", mcuc_measure_arena() + offset, count);
    mcuc_answer_finish();
    return 1;
}

int32_t mcuc_inspect_mask(mcuc_line *line, uint32_t id)
{
    uint32_t offset;
    uint32_t count;
    if (!take_range(line, &offset, &count)) {
        return 0;
    }
    if (id != masked_id) {
        uint8_t *bytes = mcuc_measure_arena();
        for (uint32_t i = offset; i < offset + count; i++) {
            /* Looks random, is never 0: no byte stays as it is. */
            bytes[i] ^= (uint8_t)(i * 2654435761U >> 24 | 1U);
        }
        masked_id = id;
    }
    return 1;
}
