/*
 * mcuc_assign_variable: a new value for a variable.
 *
 * input  size bytes, elements of any type
 * state  the same; there is no other output
 *
 * Ranges  1 <= size.
 *
 * Order   As memcpy: input and state do not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ASSIGN_VARIABLE_H
#define MCUC_ASSIGN_VARIABLE_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
} mcuc_assign_variable_params;

void mcuc_assign_variable(const mcuc_assign_variable_params *p, const void *input, void *state);

#ifdef __cplusplus
}
#endif

#endif
