/*
 * mcuc_arm.h: what the Arm ports share beside start-up.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_ARM_H
#define MCUC_ARM_H

#include <stdint.h>

/* What start-up does before anything else, and why a fault came as far as the core tells. */
void mcuc_arm_cpu_start(void);
uint32_t mcuc_arm_fault_status(void);

/* Starts the cycle counter of the core, where there is one (not in Armv6-M). */
void mcuc_arm_cycles_start(void);

/* Turns on the caches of a Cortex-M7. */
void mcuc_arm_caches_start(void);

/*
 * Sleeping until a byte comes. The interrupt is enabled but never taken: PRIMASK
 * holds it back, and a pending one ends WFI all the same. Polling without sleep
 * would also work on a chip; an emulator that is polled hardly gets to its serial line.
 */
void mcuc_arm_wake_start(uint32_t interrupt);
void mcuc_arm_sleep(void);
void mcuc_arm_wake_clear(uint32_t interrupt);

/* The UART of Arm's Cortex-M System Design Kit, at `base`; bits a second = clock / divider. */
void mcuc_cmsdk_uart_start(uintptr_t base, uint32_t divider);
void mcuc_cmsdk_uart_write(uintptr_t base, const char *bytes, uint32_t count);
int32_t mcuc_cmsdk_uart_read(uintptr_t base, uint32_t interrupt);

#endif
