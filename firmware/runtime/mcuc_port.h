/*
 * mcuc_port.h: what the harness needs of a chip. Each family under port/ has it all.
 *
 * No interrupt is ever taken: while a model runs, nothing else does, so that
 * counts and stack depth are the model's own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_PORT_H
#define MCUC_PORT_H

#include <stdint.h>

/* What mcuc_port_read answers when no byte will ever come again (host only). */
#define MCUC_PORT_END (-1)

/* Clocks, pins, serial line, counters. Called once, before anything else here. */
void mcuc_port_init(void);

/* The CPU clock that mcuc_port_init arrived at, in hertz; 0 where nobody knows. */
uint32_t mcuc_port_clock_hz(void);

/* Sends the bytes; returns when the last one has been accepted by the line. */
void mcuc_port_write(const char *bytes, uint32_t count);

/* Waits for one byte and returns it (0 to 255), or MCUC_PORT_END. */
int32_t mcuc_port_read(void);

/*
 * Free-running counters that wrap at 2^32. One that does not advance is one
 * that is not there: the harness tries before it believes. Ticks come from a
 * timer; cycles are those of the CPU.
 */
uint32_t mcuc_port_ticks(void);
uint32_t mcuc_port_cycles(void);

/*
 * The lowest address of the stack, and where the stack pointer is now (in the
 * caller, give or take its own frame). Both are 0 where the stack cannot be painted.
 */
uintptr_t mcuc_port_stack_low(void);
uintptr_t mcuc_port_stack_pointer(void);

#endif
