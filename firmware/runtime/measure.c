/*
 * measure.c: paints and finds out what is left of the paint; see mcuc_measure.h.
 *
 * The compiler is told the arena's size, -DMCUC_HARNESS_ARENA_BYTES=n, and that of the
 * model's state beyond mcuc_state, -DMCUC_HARNESS_STATE_BYTES=n.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_measure.h"

#include "mcuc.h"
#include "mcuc_port.h"

#ifndef MCUC_HARNESS_ARENA_BYTES
#error "compile with -DMCUC_HARNESS_ARENA_BYTES=n"
#endif

#ifndef MCUC_HARNESS_STATE_BYTES
#define MCUC_HARNESS_STATE_BYTES 0
#endif

enum { GUARD_BYTES = 64, STATE_GUARD_BYTES = 16, STACK_PATTERN = 0xA5 };

/* What lasts starts, and what there is of it ends, at a multiple of eight. */
#define EIGHTS(n) (((n) + 7U) / 8U * 8U)
enum { STATE_BYTES = EIGHTS(sizeof(mcuc_state)) + EIGHTS(MCUC_HARNESS_STATE_BYTES) };

/* An arena of no bytes at all still is an object in C. */
enum { STORAGE_BYTES = MCUC_HARNESS_ARENA_BYTES > 0 ? MCUC_HARNESS_ARENA_BYTES : 1 };

/* Byte arrays have no padding: the upper guard starts right behind the arena. */
static struct {
    uint8_t below[GUARD_BYTES];
    uint8_t arena[STORAGE_BYTES];
    uint8_t above[GUARD_BYTES];
} memory __attribute__((aligned(16), section(".bss.mcuc_arena")));

/* A model's state, and bytes behind it that are nobody's. */
static union {
    mcuc_state base;
    uint64_t alignment;
    uint8_t bytes[STATE_BYTES + STATE_GUARD_BYTES];
} state __attribute__((section(".bss.mcuc_state")));

const uint32_t mcuc_measure_arena_bytes = MCUC_HARNESS_ARENA_BYTES;
const uint32_t mcuc_measure_state_bytes = STATE_BYTES;

uint8_t *mcuc_measure_arena(void)
{
    return memory.arena;
}

mcuc_state *mcuc_measure_state(void)
{
    return &state.base;
}

/* No two neighbours are alike, so that a run of equal bytes is always noticed. */
static uint8_t guard_byte(uint32_t i)
{
    return (uint8_t)(0xC3U + 37U * i);
}

static void set_guard(uint8_t *guard, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        guard[i] = guard_byte(i);
    }
}

/* 1 where a byte of a guard is not what it should be. */
static uint32_t is_damaged(const uint8_t *guard, uint32_t count)
{
    uint32_t damaged = 0;
    for (uint32_t i = 0; i < count; i++) {
        damaged |= guard[i] != guard_byte(i);
    }
    return damaged;
}

void mcuc_measure_paint(uint8_t pattern)
{
    for (uint32_t i = 0; i < mcuc_measure_arena_bytes; i++) {
        memory.arena[i] = pattern;
    }
    set_guard(memory.below, GUARD_BYTES);
    set_guard(memory.above, GUARD_BYTES);
    set_guard(state.bytes + STATE_BYTES, STATE_GUARD_BYTES);
}

uint32_t mcuc_measure_peak(uint8_t pattern)
{
    uint32_t peak = mcuc_measure_arena_bytes;
    while (peak > 0 && memory.arena[peak - 1] == pattern) {
        peak--;
    }
    return peak;
}

const char *mcuc_measure_guards(void)
{
    static const char names[][6] = {"ok", "below", "above", "both"};
    uint32_t above = is_damaged(memory.above, GUARD_BYTES) |
                     is_damaged(state.bytes + STATE_BYTES, STATE_GUARD_BYTES);
    return names[is_damaged(memory.below, GUARD_BYTES) | above << 1];
}

/* Stays below its own frame: what it overwrites belongs to nobody. */
__attribute__((noinline)) void mcuc_measure_stack_paint(void)
{
    uintptr_t end = mcuc_port_stack_pointer();
    for (uintptr_t at = mcuc_port_stack_low(); at < end; at++) {
        *(volatile uint8_t *)at = STACK_PATTERN;
    }
}

__attribute__((noinline)) uint32_t mcuc_measure_stack_depth(uintptr_t from)
{
    uintptr_t at = mcuc_port_stack_low();
    while (at < from && *(volatile uint8_t *)at == STACK_PATTERN) {
        at++;
    }
    return (uint32_t)(from - at);
}

int32_t mcuc_measure_advances(uint32_t (*counter)(void))
{
    uint32_t start = counter();
    for (uint32_t i = 0; i < 1000; i++) {
        if (counter() != start) {
            return 1;
        }
    }
    return 0;
}
