/*
 * mps2.c: the MPS2 board with the images AN386 (Cortex-M4) and AN500 (Cortex-M7).
 *
 * Addresses and clock are those of Arm's application notes of these numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../common/mcuc_arm.h"
#include "mcuc_port.h"

enum { UART0_RX_INTERRUPT = 0 };
enum { CLOCK_HZ = 25000000, BAUD = 115200 };

#define UART0 0x40004000U

/* The kit's timer counts down from VALUE and starts again at RELOAD. */
#define TIMER0_CTRL (*(volatile uint32_t *)0x40000000U)
#define TIMER0_VALUE (*(volatile uint32_t *)0x40000004U)
#define TIMER0_RELOAD (*(volatile uint32_t *)0x40000008U)
#define TIMER_CTRL_ENABLE 1U

void mcuc_port_init(void)
{
    mcuc_cmsdk_uart_start(UART0, (CLOCK_HZ + BAUD / 2) / BAUD);
    TIMER0_CTRL = 0;
    TIMER0_RELOAD = UINT32_MAX;
    TIMER0_VALUE = UINT32_MAX;
    TIMER0_CTRL = TIMER_CTRL_ENABLE;
    mcuc_arm_wake_start(UART0_RX_INTERRUPT);
    mcuc_arm_cycles_start();
}

uint32_t mcuc_port_clock_hz(void)
{
    return CLOCK_HZ;
}

void mcuc_port_write(const char *bytes, uint32_t count)
{
    mcuc_cmsdk_uart_write(UART0, bytes, count);
}

int32_t mcuc_port_read(void)
{
    return mcuc_cmsdk_uart_read(UART0, UART0_RX_INTERRUPT);
}

uint32_t mcuc_port_ticks(void)
{
    return ~TIMER0_VALUE;
}
