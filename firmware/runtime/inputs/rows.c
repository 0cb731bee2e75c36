/*
 * rows.c: inputs of which the model is handed rows, and others beside them; see mcuc_inputs.h.
 *
 * The compiler is told how many bytes all rows are: -DMCUC_HARNESS_STREAM_BYTES=n.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_inputs.h"

#include "mcuc_measure.h"

extern const mcuc_model MCUC_HARNESS_MODEL;
static const mcuc_model *const model = &MCUC_HARNESS_MODEL;

/* The inputs that are handed to the model row by row, one behind the other. */
static uint8_t streamed[MCUC_HARNESS_STREAM_BYTES];

uint8_t *mcuc_inputs_place(uint32_t index)
{
    uint8_t *place = streamed;
    if (model->row_bytes[index] == 0) {
        return mcuc_measure_arena() + model->inputs[index].at.offset;
    }
    for (uint32_t i = 0; i < index; i++) {
        place += model->row_bytes[i] == 0 ? 0 : model->inputs[i].size_bytes;
    }
    return place;
}

/* Hands in rows as long as any are wanted. */
static int push_rows(mcuc_state *pushed)
{
    int code = MCUC_OK;
    pushed->position = 0;
    while (code == MCUC_OK) {
        int32_t row = 0;
        int32_t index = model->wanted(pushed, &row);
        if (index < 0) {
            break;
        }
        code = model->push(pushed, mcuc_inputs_place((uint32_t)index) +
                                       (uint32_t)row * model->row_bytes[index]);
    }
    return code;
}

mcuc_invoke *mcuc_inputs_invoke(void)
{
    return push_rows;
}
