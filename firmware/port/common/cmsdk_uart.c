/*
 * cmsdk_uart.c: the APB UART of Arm's Cortex-M System Design Kit.
 *
 * Registers as in the kit's Technical Reference Manual (ARM DDI 0479), section 4.3.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_arm.h"

#define UART_DATA(base) (*(volatile uint32_t *)((base) + 0x00U))
#define UART_STATE(base) (*(volatile uint32_t *)((base) + 0x04U))
#define UART_CTRL(base) (*(volatile uint32_t *)((base) + 0x08U))
#define UART_INTCLEAR(base) (*(volatile uint32_t *)((base) + 0x0CU))
#define UART_BAUDDIV(base) (*(volatile uint32_t *)((base) + 0x10U))

#define STATE_TX_FULL 1U
#define STATE_RX_FULL 2U
#define CTRL_TX_ENABLE 1U
#define CTRL_RX_ENABLE 2U
#define CTRL_RX_INTERRUPT 8U
#define INTERRUPT_RX 2U
#define BAUDDIV_LEAST 16U /* smaller values stop the UART */

void mcuc_cmsdk_uart_start(uintptr_t base, uint32_t divider)
{
    UART_CTRL(base) = 0;
    UART_BAUDDIV(base) = divider < BAUDDIV_LEAST ? BAUDDIV_LEAST : divider;
    UART_CTRL(base) = CTRL_TX_ENABLE | CTRL_RX_ENABLE | CTRL_RX_INTERRUPT;
}

void mcuc_cmsdk_uart_write(uintptr_t base, const char *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        while ((UART_STATE(base) & STATE_TX_FULL) != 0) {
        }
        UART_DATA(base) = (uint8_t)bytes[i];
    }
}

/* A byte that comes between the test and the sleep has its interrupt pending: no sleep. */
int32_t mcuc_cmsdk_uart_read(uintptr_t base, uint32_t interrupt)
{
    while ((UART_STATE(base) & STATE_RX_FULL) == 0) {
        mcuc_arm_sleep();
    }
    int32_t byte = (int32_t)(UART_DATA(base) & 0xFFU);
    UART_INTCLEAR(base) = INTERRUPT_RX;
    mcuc_arm_wake_clear(interrupt);
    return byte;
}
