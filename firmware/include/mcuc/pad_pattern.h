/*
 * mcuc_pad_pattern: a tensor of elements of several bytes with a margin of one value around it.
 *
 * input   elements of element_bytes [in_shape[0]]..[in_shape[4]]
 * output  elements of element_bytes [before + in_shape + after in each dimension]
 *
 * Ranges  1 <= in_shape; 0 <= before, after; `value` is one element.
 *
 * Order   All of the output is set to the value first. Then rows of the input's last dimension are
 *         read ascending, each written to its place.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_PAD_PATTERN_H
#define MCUC_PAD_PATTERN_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint8_t *value;
    uint32_t element_bytes;
    int32_t in_shape[5];
    int32_t before[5];
    int32_t after[5];
} mcuc_pad_pattern_params;

void mcuc_pad_pattern(const mcuc_pad_pattern_params *p, const void *input, void *output);

#ifdef __cplusplus
}
#endif

#endif
