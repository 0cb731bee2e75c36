/*
 * mcuc_inputs.h: where a model's inputs are sent to, and how it is run over them.
 *
 * Inputs lie in the arena as wholes, or the model is handed rows of them: a file each in inputs/,
 * of which an image has one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_INPUTS_H
#define MCUC_INPUTS_H

#include "mcuc.h"

typedef int mcuc_invoke(mcuc_state *state);

/* Where all bytes of input `index` are sent to. */
uint8_t *mcuc_inputs_place(uint32_t index);

/* One inference over what was sent. */
mcuc_invoke *mcuc_inputs_invoke(void);

#endif
