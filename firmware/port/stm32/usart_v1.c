/*
 * usart_v1.c: the USART of the STM32F4, with one status and one data register (RM0090, 30.6).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../common/mcuc_arm.h"
#include "mcuc_port.h"
#include "stm32.h"

#define USART_SR MCUC_REGISTER(usart_base + 0x00U)
#define USART_DR MCUC_REGISTER(usart_base + 0x04U)
#define USART_BRR MCUC_REGISTER(usart_base + 0x08U)
#define USART_CR1 MCUC_REGISTER(usart_base + 0x0CU)
#define SR_RXNE (1U << 5)
#define SR_TXE (1U << 7)
#define CR1_RE (1U << 2)
#define CR1_TE (1U << 3)
#define CR1_RXNEIE (1U << 5)
#define CR1_UE (1U << 13)

static uintptr_t usart_base;
static uint32_t usart_interrupt;

void mcuc_stm32_serial_start(uintptr_t usart, uint32_t interrupt, uint32_t clock_hz)
{
    usart_base = usart;
    usart_interrupt = interrupt;
    /* 30.3.4: with 16 samples a bit, BRR is the clock over the baud rate, to the nearest */
    USART_BRR = (clock_hz + MCUC_STM32_BAUD / 2) / MCUC_STM32_BAUD;
    USART_CR1 = CR1_UE | CR1_TE | CR1_RE | CR1_RXNEIE;
    mcuc_arm_wake_start(interrupt);
}

void mcuc_port_write(const char *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        while ((USART_SR & SR_TXE) == 0) {
        }
        USART_DR = (uint8_t)bytes[i];
    }
}

/* Reading SR, then DR also clears an overrun; the line it spoilt fails its CRC (30.6.1). */
int32_t mcuc_port_read(void)
{
    while ((USART_SR & SR_RXNE) == 0) {
        mcuc_arm_sleep(); /* not if a byte came meanwhile: its interrupt is pending */
    }
    int32_t byte = (int32_t)(USART_DR & 0xFFU);
    mcuc_arm_wake_clear(usart_interrupt);
    return byte;
}
