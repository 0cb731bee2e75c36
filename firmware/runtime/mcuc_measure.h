/*
 * mcuc_measure.h: the arena between its guards, the stack, the counters.
 *
 * How the high-water mark is found: every byte of the arena is painted with a
 * pattern, the model runs, and the highest byte that no longer holds the pattern
 * was written. A byte that the model happened to write with the very value of the
 * pattern is missed. Therefore there are two runs, the second over the complement:
 * no value equals both. The larger of the two marks is the peak. Inputs are put
 * into the painted arena before the run and count as written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_MEASURE_H
#define MCUC_MEASURE_H

#include <stdint.h>

#include "mcuc.h"

extern const uint32_t mcuc_measure_arena_bytes;
extern const uint32_t mcuc_measure_state_bytes;

/* The arena; it stays where it is. */
uint8_t *mcuc_measure_arena(void);

/* The state of the model, with its mcuc_state first; bytes behind it are guarded, too. */
mcuc_state *mcuc_measure_state(void);

/* Fills the arena with `pattern` and all guards with what they should hold. */
void mcuc_measure_paint(uint8_t pattern);

/* One more than the highest offset in the arena that does not hold `pattern`; 0 if all do. */
uint32_t mcuc_measure_peak(uint8_t pattern);

/*
 * Which guards still hold what they should: "ok", "below", "above" or "both". The one
 * above stands for what lies behind the state, too.
 */
const char *mcuc_measure_guards(void);

/* Paints the unused part of the stack, and finds how much less of it is unused now. */
void mcuc_measure_stack_paint(void);
uint32_t mcuc_measure_stack_depth(uintptr_t from);

/* 1 where the counter advances while the CPU works. */
int32_t mcuc_measure_advances(uint32_t (*counter)(void));

#endif
