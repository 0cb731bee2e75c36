/*
 * mcuc_signal_square_root: square roots, shifted right.
 *
 * input   uint64 [size]
 * bits    int32, by how many bits, of which the lowest five count
 * output  uint32 [size]; the nearest whole number to each root, at most 2^16 - 1 for inputs below 2^32
 *         and 2^32 - 1 for others, shifted right
 *
 * Ranges  1 <= size.
 *
 * Order   bits is read; then element after element, ascending, is read and its result written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_SIGNAL_SQUARE_ROOT_H
#define MCUC_SIGNAL_SQUARE_ROOT_H

#include "mcuc_wide.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t size;
} mcuc_signal_square_root_params;

void mcuc_signal_square_root(const mcuc_signal_square_root_params *p, const mcuc_wide *input,
                             const int32_t *bits, uint32_t *output);

#ifdef __cplusplus
}
#endif

#endif
