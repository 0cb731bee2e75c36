/*
 * host.c: the port to an ordinary process: the serial line is its input and output.
 *
 * There is no counter that counts the same twice, and the stack belongs to the
 * operating system: counts and stack depth are not measured here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "mcuc_port.h"

void mcuc_port_init(void)
{
}

uint32_t mcuc_port_clock_hz(void)
{
    return 0;
}

/* A line goes out as a whole: the other end waits for it. */
void mcuc_port_write(const char *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        (void)putchar(bytes[i]);
        if (bytes[i] == '\n') {
            (void)fflush(stdout);
        }
    }
}

int32_t mcuc_port_read(void)
{
    int byte = getchar();
    return byte == EOF ? MCUC_PORT_END : byte;
}

uint32_t mcuc_port_ticks(void)
{
    return 0;
}

uint32_t mcuc_port_cycles(void)
{
    return 0;
}

uintptr_t mcuc_port_stack_low(void)
{
    return 0;
}

uintptr_t mcuc_port_stack_pointer(void)
{
    return 0;
}
