/*
 * mcuc_read_variable: the value of a variable, as it is now.
 *
 * output  size bytes, elements of any type
 * state   the same; there is no other input
 *
 * Ranges  1 <= size.
 *
 * Order   As memcpy: output and state do not overlap.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_READ_VARIABLE_H
#define MCUC_READ_VARIABLE_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t size;
} mcuc_read_variable_params;

void mcuc_read_variable(const mcuc_read_variable_params *p, void *output, const void *state);

#ifdef __cplusplus
}
#endif

#endif
