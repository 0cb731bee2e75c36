/*
 * usart_v2.c: the USART of STM32F7, H7 and L4, with data registers for each direction
 * (RM0385 31.8, RM0433 48.7, RM0351 40.8). On the H7 its FIFOs stay off.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../common/mcuc_arm.h"
#include "mcuc_port.h"
#include "stm32.h"

#define USART_CR1 MCUC_REGISTER(usart_base + 0x00U)
#define USART_BRR MCUC_REGISTER(usart_base + 0x0CU)
#define USART_ISR MCUC_REGISTER(usart_base + 0x1CU)
#define USART_ICR MCUC_REGISTER(usart_base + 0x20U)
#define USART_RDR MCUC_REGISTER(usart_base + 0x24U)
#define USART_TDR MCUC_REGISTER(usart_base + 0x28U)
#define CR1_UE (1U << 0)
#define CR1_RE (1U << 2)
#define CR1_TE (1U << 3)
#define CR1_RXNEIE (1U << 5)
#define ISR_RXNE (1U << 5)
#define ISR_TXE (1U << 7)
/* Parity, framing, noise, overrun: what they spoilt fails its CRC; RXNEIE also waits on overrun. */
#define ICR_ALL_ERRORS 0xFU

static uintptr_t usart_base;
static uint32_t usart_interrupt;

void mcuc_stm32_serial_start(uintptr_t usart, uint32_t interrupt, uint32_t clock_hz)
{
    usart_base = usart;
    usart_interrupt = interrupt;
    USART_CR1 = 0; /* BRR is written while the USART is off */
    USART_BRR = (clock_hz + MCUC_STM32_BAUD / 2) / MCUC_STM32_BAUD; /* 16 samples a bit */
    USART_CR1 = CR1_UE | CR1_TE | CR1_RE | CR1_RXNEIE;
    mcuc_arm_wake_start(interrupt);
}

void mcuc_port_write(const char *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        while ((USART_ISR & ISR_TXE) == 0) {
        }
        USART_TDR = (uint8_t)bytes[i];
    }
}

int32_t mcuc_port_read(void)
{
    while ((USART_ISR & ISR_RXNE) == 0) {
        mcuc_arm_sleep(); /* not if a byte came meanwhile: its interrupt is pending */
    }
    int32_t byte = (int32_t)(USART_RDR & 0xFFU);
    USART_ICR = ICR_ALL_ERRORS;
    mcuc_arm_wake_clear(usart_interrupt);
    return byte;
}
