/*
 * whole.c: inputs that lie in the arena; see mcuc_inputs.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_inputs.h"

#include "mcuc_measure.h"

extern const mcuc_model MCUC_HARNESS_MODEL;
static const mcuc_model *const model = &MCUC_HARNESS_MODEL;

uint8_t *mcuc_inputs_place(uint32_t index)
{
    return mcuc_measure_arena() + model->inputs[index].at.offset;
}

mcuc_invoke *mcuc_inputs_invoke(void)
{
    return model->invoke;
}
