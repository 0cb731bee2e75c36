/*
 * mps3.c: the MPS3 board with the image AN547 (Corstone SSE-300, Cortex-M55).
 *
 * The CPU starts in Secure state, so that peripherals are used at their Secure
 * addresses. Addresses and clock are those of Arm's application note AN547.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../common/mcuc_arm.h"
#include "mcuc_port.h"

enum { UART0_RX_INTERRUPT = 33 };
enum { CLOCK_HZ = 32000000, BAUD = 115200 };

#define UART0 0x59303000U

/* FPGAIO: COUNTER goes up each time that the prescaler, reloaded from PRESCALE, ends. */
#define FPGAIO_COUNTER (*(volatile uint32_t *)0x59302018U)
#define FPGAIO_PRESCALE (*(volatile uint32_t *)0x5930201CU)

void mcuc_port_init(void)
{
    mcuc_cmsdk_uart_start(UART0, (CLOCK_HZ + BAUD / 2) / BAUD);
    FPGAIO_PRESCALE = 0;
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
    return FPGAIO_COUNTER;
}
