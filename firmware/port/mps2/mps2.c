/*
 * mps2.c: the MPS2 board; what its FPGA images differ in is in a file an image.
 *
 * UART and timer are those of Arm's Cortex-M System Design Kit (ARM DDI 0479).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mps2.h"

#include "../common/mcuc_arm.h"
#include "mcuc_port.h"

enum { BAUD = 115200 };

/* The kit's timer counts down from VALUE and starts again at RELOAD. */
#define TIMER_CTRL (*(volatile uint32_t *)(mcuc_mps2_image.timer + 0U))
#define TIMER_VALUE (*(volatile uint32_t *)(mcuc_mps2_image.timer + 4U))
#define TIMER_RELOAD (*(volatile uint32_t *)(mcuc_mps2_image.timer + 8U))
#define TIMER_CTRL_ENABLE 1U

void mcuc_port_init(void)
{
    mcuc_cmsdk_uart_start(mcuc_mps2_image.uart, (mcuc_mps2_image.clock_hz + BAUD / 2) / BAUD);
    TIMER_CTRL = 0;
    TIMER_RELOAD = UINT32_MAX;
    TIMER_VALUE = UINT32_MAX;
    TIMER_CTRL = TIMER_CTRL_ENABLE;
    mcuc_arm_wake_start(mcuc_mps2_image.uart_receive_interrupt);
    mcuc_arm_cycles_start();
}

uint32_t mcuc_port_clock_hz(void)
{
    return mcuc_mps2_image.clock_hz;
}

void mcuc_port_write(const char *bytes, uint32_t count)
{
    mcuc_cmsdk_uart_write(mcuc_mps2_image.uart, bytes, count);
}

int32_t mcuc_port_read(void)
{
    return mcuc_cmsdk_uart_read(mcuc_mps2_image.uart, mcuc_mps2_image.uart_receive_interrupt);
}

uint32_t mcuc_port_ticks(void)
{
    return ~TIMER_VALUE;
}
