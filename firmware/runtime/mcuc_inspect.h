/*
 * mcuc_inspect.h: commands that look at the arena, or change bytes that must not matter.
 *
 *   sum  id= offset= bytes=       sum crc32=
 *   peek id= offset= bytes=       bytes index=0 offset= base64=    (at most one line's)
 *   mask id= offset= bytes=       (every byte becomes another one; once more, and it is back)
 *
 * Each is given `values`, its id, offset and bytes, and answers, or returns 0 having done nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_INSPECT_H
#define MCUC_INSPECT_H

#include "mcuc_line.h"

MCUC_COLD int32_t mcuc_inspect_sum(const uint32_t *values);
MCUC_COLD int32_t mcuc_inspect_peek(const uint32_t *values);
MCUC_COLD int32_t mcuc_inspect_mask(const uint32_t *values);

#endif
