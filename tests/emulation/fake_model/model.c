/*
 * A model that is none: it does what its second input says, so that every answer
 * of the harness is known beforehand.
 *
 * Arena, 1024 bytes: values [0, 700), orders [704, 712), result [720, 730), and a
 * byte at 899 or above that the last step writes: the peak is 900 or more.
 *
 * orders[0] is a set of bits (see enum), orders[1] the last byte that is
 * written, orders[2..3] how many times 100 the second step goes round its loop,
 * orders[4] how far above 899 that last byte is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc.h"

extern const mcuc_model mcuc_fake_model;

void fake_loop(uint32_t rounds);
uint32_t fake_deep(uint32_t value);

enum { VALUES = 0, VALUES_BYTES = 700, ORDERS = 704, ORDERS_BYTES = 8 };
enum { RESULT = 720, RESULT_BYTES = 10, LAST = 899, ARENA_BYTES = 1024 };
enum { WRITE_BELOW = 1, WRITE_ABOVE = 2, USE_STACK = 4, CRASH = 8 };
enum { READ_PAINT = 16, SPOIL_INPUT = 32, HANG = 64, FAIL = 128 };

/* On Arm a round is two instructions; elsewhere nobody counts. */
#ifdef __arm__
__attribute__((noinline)) void fake_loop(uint32_t rounds)
{
    __asm volatile(".syntax unified\n\t"
                   "1: subs %0, %0, #1\n\t"
                   "bne 1b\n\t"
                   : "+l"(rounds)
                   :
                   : "cc");
}
#else
void fake_loop(uint32_t rounds)
{
    (void)rounds;
}
#endif

/* Needs a little more than 1,000 bytes of stack, and writes them. */
__attribute__((noinline)) uint32_t fake_deep(uint32_t value)
{
    volatile uint8_t room[1000];
    uint32_t sum = 0;
    for (uint32_t i = 0; i < sizeof(room); i++) {
        room[i] = (uint8_t)(value + i);
        sum += room[i];
    }
    return sum;
}

static void report(const mcuc_state *state, int32_t step)
{
    if (state->on_step != NULL) {
        state->on_step(state->on_step_context, step);
    }
}

static int init(mcuc_state *state, void *arena, size_t arena_bytes)
{
    if (arena_bytes < ARENA_BYTES) {
        return MCUC_ERROR_ARENA_TOO_SMALL;
    }
    state->arena = arena;
    state->on_step = NULL;
    state->on_step_context = NULL;
    return MCUC_OK;
}

static int invoke(mcuc_state *state)
{
    uint8_t *arena = state->arena;
    uint8_t orders = arena[ORDERS];
    uint8_t last = arena[ORDERS + 1];
    uint32_t rounds = 100U * ((uint32_t)arena[ORDERS + 2] + 256U * arena[ORDERS + 3]);
    if ((orders & FAIL) != 0) {
        return MCUC_ERROR_NOT_INITIALISED;
    }
    if ((orders & CRASH) != 0) {
        __builtin_trap(); /* an undefined instruction; not every emulator minds a bad address */
    }
    while ((orders & HANG) != 0) {
        fake_loop(1000);
    }
    for (uint32_t i = 0; i < RESULT_BYTES; i++) {
        arena[RESULT + i] = (uint8_t)(arena[VALUES + i] + 1U);
    }
    report(state, 0);

    if (rounds > 0) {
        fake_loop(rounds);
    }
    if ((orders & USE_STACK) != 0) {
        arena[RESULT] = (uint8_t)fake_deep(orders);
    }
    report(state, 1);

    arena[LAST + arena[ORDERS + 4]] = last;
    if ((orders & WRITE_BELOW) != 0) {
        *(volatile uint8_t *)((uintptr_t)arena - 1) = 0;
    }
    if ((orders & WRITE_ABOVE) != 0) {
        *(volatile uint8_t *)((uintptr_t)arena + ARENA_BYTES + 3) = 0;
    }
    if ((orders & READ_PAINT) != 0) {
        arena[RESULT] = arena[LAST + 1];
    }
    if ((orders & SPOIL_INPUT) != 0) {
        arena[VALUES] = 0;
    }
    report(state, 2);
    return MCUC_OK;
}

static const mcuc_tensor inputs[] = {
    {-1, MCUC_IN_ARENA, VALUES_BYTES, {.offset = VALUES}},
    {-1, MCUC_IN_ARENA, ORDERS_BYTES, {.offset = ORDERS}},
};
static const mcuc_tensor outputs[] = {
    {0, MCUC_IN_ARENA, RESULT_BYTES, {.offset = RESULT}},
    {-1, MCUC_IN_ARENA, VALUES_BYTES, {.offset = VALUES}},
};
static const mcuc_tensor written[] = {
    {0, MCUC_IN_ARENA, RESULT_BYTES, {.offset = RESULT}},
    {2, MCUC_IN_ARENA, 200, {.offset = VALUES}},
    {2, MCUC_IN_ARENA, 1, {.offset = LAST}},
};

const mcuc_model mcuc_fake_model = {
    "fake", ARENA_BYTES, 16,      sizeof(mcuc_state),
    3,      2,           2,       3,
    inputs, outputs,     written, init,
    invoke, NULL,        NULL,    NULL,
};
